// The transformer by which Jest runs TypeScript. Node's own function replaces types by blanks, so
// that the lines and columns in a stack trace are those of the source.
const { stripTypeScriptTypes } = require('node:module');

module.exports = { process: (source) => ({ code: stripTypeScriptTypes(source) }) };
