export { applyChanges } from './apply-changes.ts';
export {
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  type ListQuery,
  type Selected,
} from './create-client.ts';
export type { ApiErrorDetails, ErrorCode } from './errors.ts';
export { ApiError } from './errors.ts';
export type { Followed, FollowOptions } from './follow.ts';
export type * from './generated/api.ts';
export type { PagesOptions, WhenGone } from './pages.ts';
export type { Wait } from './polite-fetch.ts';
export type { Result } from './result.ts';
export type { Timing } from './timing.ts';
