/** The smoke test holds responses against the API document too, and lives outside of the tests. */
export { schemaValidator } from '../../tools/smoke/schema-validator.ts';
