import { PUBLISH_GRACE_SECONDS } from '../../../lambda/contract/constants.ts';
import { ROUTES } from '../../../lambda/contract/routes.ts';
import { VERSION } from '../../../lambda/contract/version.ts';
import type { Status } from '../../../lambda/endpoints/get-status.ts';
import { checks } from '../check.ts';
import { ensure } from '../check-failure.ts';

/** What the service says of itself. */
export const SERVICE_CHECKS = checks([
  {
    name: 'status: the data is fresh',
    run: async (deployment) => {
      const { body } = await deployment.get<Status>('get-status');
      const { status, ageSeconds, freshForSeconds, markets } = body;
      ensure(status === 'ok', `the status is ${status}, the data ${ageSeconds} s old`);
      const limit = freshForSeconds + PUBLISH_GRACE_SECONDS;
      ensure(ageSeconds !== null && ageSeconds <= limit, `${ageSeconds} s old, more than ${limit} s`);
      return `${markets} markets, ${ageSeconds} s old`;
    },
  },
  {
    name: 'document: describes every endpoint',
    run: async (deployment) => {
      const { body } = await deployment.get<{
        openapi: string;
        info: { version: string };
        paths: Record<string, unknown>;
      }>('get-openapi');
      ensure(body.openapi.startsWith('3.1'), `OpenAPI ${body.openapi} instead of 3.1`);
      const missing = Object.values(ROUTES).filter(({ path }) => !(path in body.paths));
      ensure(missing.length === 0, `without ${missing.map(({ path }) => path).join(', ')}`);
      const { version } = body.info;
      ensure(version === VERSION, `the deployment is version ${version}, these checks are of ${VERSION}`);
      return `version ${version}, ${Object.keys(body.paths).length} endpoints`;
    },
  },
]);
