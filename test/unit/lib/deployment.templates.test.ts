import { describe, expect, it } from '@jest/globals';
import { SHIPPED_STAGES } from '../../../lib/config/stage-files.ts';
import { synthesizeStacks } from '../../support/stack.ts';

/**
 * What changes with every line of code and says nothing about what is deployed: hashes of assets, of an API's deployment
 * and of a function's version, and the version that the service tells.
 */
function normalised(template: unknown): unknown {
  const text = JSON.stringify(template)
    .replace(/\b[0-9a-f]{64}\b/g, '<asset>')
    .replace(/(Deployment|CurrentVersion)([0-9A-F]{8})?[0-9a-f]{32}\b/g, '$1$2<hash>');
  return JSON.parse(text);
}

/** Everything that a change of the stack changes, for whoever reads it. What must hold is said by the tests beside this. */
describe.each(SHIPPED_STAGES)('the templates of %s', (stage) => {
  const { service, waf } = synthesizeStacks({ stage });

  it('are what they were: `npm test -- test/unit/lib/deployment.templates -u` accepts a change', () => {
    expect({
      service: normalised(service.template),
      waf: normalised(waf?.template ?? null),
    }).toMatchSnapshot();
  });
});
