import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openApiDocument } from '../../lambda/contract/openapi.ts';
import { VERSION } from '../../lambda/contract/version.ts';

/** @returns what is wrong with a body, empty when nothing is; a status that is not documented is wrong, too */
export type ValidateBody = (path: string, status: number, body: unknown) => string[];

/** Validates bodies against the API document: those of GET, or of POST where there is no GET. */
export function schemaValidator(): ValidateBody {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  const document = openApiDocument(VERSION) as { readonly paths: Readonly<Record<string, object>> };
  ajv.addSchema({ ...document, $id: 'api' });
  const pointer = (text: string) => text.replaceAll('~', '~0').replaceAll('/', '~1');
  return (path, status, body) => {
    const method = 'post' in (document.paths[path] ?? {}) ? 'post' : 'get';
    const at = `api#/paths/${pointer(path)}/${method}/responses/${status}/content/application~1json/schema`;
    let validate: ReturnType<typeof ajv.getSchema>;
    try {
      validate = ajv.getSchema(at);
    } catch {
      validate = undefined;
    }
    if (!validate) return [`No schema for ${status} of ${path}`];
    return validate(body)
      ? []
      : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
  };
}
