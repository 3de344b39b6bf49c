# The local server as an image: docker run --rm --publish 127.0.0.1:3000:3000 IMAGE [options of npm start]
FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json ./
COPY packages/client/package.json packages/client/
COPY packages/market-page/package.json packages/market-page/
# The image has its own Node, so the one among the packages goes.
RUN npm ci --omit=dev && rm -rf node_modules/node-linux-* node_modules/.bin/node && npm cache clean --force
COPY docs/openapi.json docs/
COPY lambda lambda
COPY local local
COPY packages packages
USER node
EXPOSE 3000
HEALTHCHECK --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:3000/api/status').then((response) => response.json()).then(({ status }) => process.exit(['ok', 'degraded'].includes(status) ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--disable-warning=ExperimentalWarning", "local/main.ts", "--host", "0.0.0.0"]
