// Stands in for node:http in the bundles. Importing it as an ES module reads all its exports, among them WebSocket,
// for which Node loads its whole fetch implementation and HTTP/2 (15 ms of a cold start); a function that only calls
// DynamoDB never uses either.
module.exports = process.getBuiltinModule('node:http');
