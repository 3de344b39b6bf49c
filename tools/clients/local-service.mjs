// Loaded with `node --import` before the examples of the client's README: sends their requests to
// LOCAL_SERVICE instead of `npm start`.
const { fetch } = globalThis;
globalThis.fetch = (request) =>
  fetch(
    new Request(request.url.replace('http://127.0.0.1:3000', process.env.LOCAL_SERVICE), request),
  );
