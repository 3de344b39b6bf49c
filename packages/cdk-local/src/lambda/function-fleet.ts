import { TemplateError } from '../template/json.ts';
import { defineFunction, type FunctionDefinition } from './function-definition.ts';
import type { FunctionContext } from './function-environment.ts';
import { type Invocation, LambdaFunction } from './lambda-function.ts';

export interface FunctionFleetOptions extends FunctionContext {
  readonly adjust?: ((definition: FunctionDefinition) => FunctionDefinition) | undefined;
  readonly maxContainers?: number | undefined;
  readonly onLine: (target: LambdaFunction, line: string) => void;
}

/** The functions that the API and the schedules call, by ARN. */
export class FunctionFleet {
  readonly #byArn = new Map<string, LambdaFunction>();

  /** @throws {TemplateError} when one of the ARNs is not that of a function of the stack */
  constructor(arns: Iterable<string>, options: FunctionFleetOptions) {
    const { stack, adjust = (definition) => definition, maxContainers, onLine } = options;
    const resources = new Map(
      stack
        .resources('AWS::Lambda::Function')
        .map((resource) => [stack.attribute(resource.id, 'Arn'), resource]),
    );
    for (const arn of new Set([...arns].map(unqualified))) {
      const resource = resources.get(arn);
      if (resource === undefined) throw new TemplateError(`There is no function ${arn} in the template`);
      const target: LambdaFunction = new LambdaFunction(adjust(defineFunction(resource, options)), {
        ...(maxContainers === undefined ? {} : { maxContainers }),
        onLine: (line) => onLine(target, line),
      });
      this.#byArn.set(arn, target);
    }
  }

  all(): LambdaFunction[] {
    return [...this.#byArn.values()];
  }

  invoke(arn: string, event: string, traceId?: string): Promise<Invocation> {
    return this.get(arn).invoke(event, traceId);
  }

  get(arn: string): LambdaFunction {
    const target = this.#byArn.get(unqualified(arn));
    if (target === undefined) throw new Error(`There is no function ${arn}`);
    return target;
  }

  /** By logical id, by name, or by a part of the logical id that only one has (`list-markets` fits `…ListMarkets…`). */
  find(idOrName: string): LambdaFunction {
    const exact = this.all().find(({ definition: { id, name } }) => id === idOrName || name === idOrName);
    if (exact !== undefined) return exact;
    const part = idOrName.replaceAll(/[^a-zA-Z0-9]/g, '').toLowerCase();
    const [found, another] = this.all().filter(({ definition }) =>
      definition.id.toLowerCase().includes(part),
    );
    if (found === undefined || another !== undefined) {
      const ids = this.all().map(({ definition }) => definition.id);
      throw new Error(`${idOrName} does not name one function: there are ${ids.join(', ')}`);
    }
    return found;
  }

  async close(): Promise<void> {
    await Promise.all(this.all().map((target) => target.close()));
  }
}

/** Versions and aliases all run the one bundle there is. */
function unqualified(arn: string): string {
  return arn.split(':').slice(0, 7).join(':');
}
