import { registerHooks } from 'node:module';

/** Of these the runner makes globals; tests import them, as from jest itself, so that every runner can run them. */
const NAMES = [
  'afterAll',
  'afterEach',
  'beforeAll',
  'beforeEach',
  'describe',
  'expect',
  'it',
  'jest',
  'test',
];
const GLOBALS = `data:text/javascript,export const { ${NAMES.join(', ')} } = globalThis;`;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: GLOBALS, shortCircuit: true } : next(specifier, context),
});
