/** The API reference: the document that the service itself serves, with requests that can be tried. */
type SwaggerUi = (options: Readonly<Record<string, unknown>>) => unknown;

declare const SwaggerUIBundle: SwaggerUi;

const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
follow();
dark.addEventListener('change', follow);

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  tryItOutEnabled: true,
  // The shapes stand with the endpoints; the list of them all comes last and folded.
  defaultModelsExpandDepth: 0,
  // Nothing leaves this origin: no validator badge.
  validatorUrl: null,
});
