/** The API reference: the API document of this service, with requests that a reader can try. */
interface SwaggerOptions {
  readonly [name: string]: unknown;
}
declare const SwaggerUIBundle: (options: SwaggerOptions) => unknown;

/** Callers of this address need no key, so there is nothing to authorize. */
const withoutAuthorization = () => ({
  wrapComponents: {
    AuthorizeBtnContainer: () => () => null,
    AuthorizeOperationBtnContainer: () => () => null,
    authorizeOperationBtn: () => () => null,
  },
});

async function show(): Promise<void> {
  const response = await fetch('/openapi.json');
  const spec: Readonly<Record<string, unknown>> = await response.json();
  SwaggerUIBundle({
    // The document has a relative server; a reader wants to see and copy the address.
    spec: { ...spec, servers: [{ url: location.origin, description: 'This service' }] },
    dom_id: '#reference',
    deepLinking: true,
    tryItOutEnabled: true,
    plugins: [withoutAuthorization],
    // The list of all schemas is last, and closed: each endpoint shows its own.
    defaultModelsExpandDepth: 0,
    // Requests go to this origin only: no validator badge.
    validatorUrl: null,
  });
}

const dark = matchMedia('(prefers-color-scheme: dark)');
const setTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
setTheme();
dark.addEventListener('change', setTheme);
void show();
