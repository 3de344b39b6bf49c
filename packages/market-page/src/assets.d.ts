/** Files that `build.ts` bundles. */
declare module '*.svg' {
  const path: string;
  export default path;
}
declare module '*.css';
declare module 'swagger-ui-dist/swagger-ui-bundle.js' {
  export default function SwaggerUIBundle(options: Readonly<Record<string, unknown>>): unknown;
}
