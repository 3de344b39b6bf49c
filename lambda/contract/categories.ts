/** The categories that a market may be in. What makes it a member stands in search/categories.ts. */
export const CATEGORY_NAMES = ['election', 'crypto', 'sports', 'economics', 'tech'] as const;
export type CategoryName = (typeof CATEGORY_NAMES)[number];
