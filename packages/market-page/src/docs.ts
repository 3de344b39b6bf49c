/** The API reference: the document that the service itself serves, with requests that can be tried. */
type SwaggerUi = (options: Readonly<Record<string, unknown>>) => unknown;

declare const SwaggerUIBundle: SwaggerUi;

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  tryItOutEnabled: true,
  // Nothing leaves this origin: no validator badge.
  validatorUrl: null,
});
