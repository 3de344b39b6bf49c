import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openApiDocument } from '../../lambda/contract/openapi.ts';
import { VERSION } from '../../lambda/contract/version.ts';

/**
 * Validates bodies against the API document.
 *
 * @returns what is wrong, empty when nothing is; a status that the document does not know is wrong, too
 */
export function schemaValidator(): (path: string, status: number, body: unknown) => string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema({ ...openApiDocument(VERSION), $id: 'api' });
  const pointer = (text: string) => text.replaceAll('~', '~0').replaceAll('/', '~1');
  return (path, status, body) => {
    const at = `api#/paths/${pointer(path)}/get/responses/${status}/content/application~1json/schema`;
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
