import type { Assembly } from './assembly.ts';
import { resolveReferences } from './dynamic-references.ts';
import { identityOf, type Place } from './identities.ts';
import { conditionHolds, evaluate, type Scope } from './intrinsics.ts';
import { isObject, type Json, type JsonObject, stringAt, TemplateError } from './json.ts';
import { Properties } from './properties.ts';
import { secretValue } from './secrets.ts';

/** One resource of the stack. `id` is its logical id, `ref` what `Ref` gives. */
export interface Resource {
  readonly id: string;
  readonly type: string;
  readonly properties: Properties;
}

/** A template as if it were deployed: names given, secrets generated, intrinsic functions evaluated on demand. */
export class Stack {
  readonly place: Place;
  readonly #template: JsonObject;
  readonly #resources = new Map<string, Resource>();
  readonly #secrets = new Map<string, string>();
  readonly #scope: Scope;

  constructor(assembly: Pick<Assembly, 'template' | 'place'>) {
    this.place = assembly.place;
    this.#template = assembly.template;
    this.#scope = {
      ref: (name, where) => this.#ref(name, where),
      attribute: (id, attribute, where) => this.#attribute(id, attribute, where),
      conditions: this.#section('Conditions'),
      mappings: this.#section('Mappings'),
    };
    for (const [id, resource] of Object.entries(this.#section('Resources'))) this.#add(id, resource);
  }

  /** Resources of these types whose condition holds, in the template's order. */
  resources(...types: readonly string[]): Resource[] {
    return [...this.#resources.values()].filter((resource) => types.includes(resource.type));
  }

  /** What `Ref` gives for a resource. */
  ref(id: string): string {
    return stringAt(this.#ref(id, id), id);
  }

  /** An attribute (`Fn::GetAtt`) of a resource. */
  attribute(id: string, attribute: string): string {
    return stringAt(this.#attribute(id, attribute, id), id);
  }

  /** Value of an output, `undefined` when the stack has none of that name. */
  output(name: string): string | undefined {
    const output = this.#section('Outputs')[name];
    if (!isObject(output) || output.Value === undefined) return undefined;
    return stringAt(this.resolve(output.Value, `Outputs.${name}`), `Outputs.${name}`);
  }

  /** Evaluates intrinsic functions and dynamic references. @throws {TemplateError} naming what is unknown */
  resolve(value: Json, where: string): Json | undefined {
    const evaluated = evaluate(value, this.#scope, where);
    return evaluated === undefined
      ? undefined
      : resolveReferences(evaluated, (arn) => this.#secret(arn), where);
  }

  #add(id: string, resource: Json): void {
    if (!isObject(resource)) throw new TemplateError(`Resources.${id} must be an object`);
    const condition = resource.Condition;
    if (typeof condition === 'string' && !conditionHolds(condition, this.#scope)) return;
    const values = isObject(resource.Properties) ? resource.Properties : {};
    const properties = new Properties(values, id, (value, where) => this.resolve(value, where));
    this.#resources.set(id, { id, type: stringAt(resource.Type, `${id}.Type`), properties });
  }

  #section(name: string): JsonObject {
    const section = this.#template[name];
    return isObject(section) ? section : {};
  }

  #ref(name: string, where: string): Json | undefined {
    const pseudo: Readonly<Record<string, string>> = {
      'AWS::Region': this.place.region,
      'AWS::AccountId': this.place.account,
      'AWS::Partition': 'aws',
      'AWS::URLSuffix': 'amazonaws.com',
      'AWS::StackName': this.place.stackName,
      'AWS::StackId': `arn:aws:cloudformation:${this.place.region}:${this.place.account}:stack/${this.place.stackName}/local`,
    };
    if (name === 'AWS::NoValue') return undefined;
    if (pseudo[name] !== undefined) return pseudo[name];
    const parameter = this.#section('Parameters')[name];
    if (isObject(parameter)) return this.#parameter(name, parameter, where);
    return this.#identity(name, where).ref;
  }

  #parameter(name: string, parameter: JsonObject, where: string): Json {
    const value = parameter.Default;
    if (value === undefined || stringAt(parameter.Type, name).startsWith('AWS::SSM::')) {
      throw new TemplateError(`${where}: the parameter ${name} has no value here`);
    }
    return value;
  }

  #attribute(id: string, attribute: string, where: string): Json {
    const value = this.#identity(id, where).attributes[attribute];
    if (value === undefined) {
      const type = this.#resources.get(id)?.type;
      throw new TemplateError(
        `${where}: the local server does not know the attribute ${attribute} of ${id} (${type})`,
      );
    }
    return value;
  }

  #identity(id: string, where: string): { ref: string; attributes: Readonly<Record<string, string>> } {
    const resource = this.#resources.get(id);
    if (resource === undefined) throw new TemplateError(`${where}: there is no ${id} in the template`);
    const identity = identityOf(resource.type, id, resource.properties, this.place);
    if (identity === undefined) {
      throw new TemplateError(
        `${where}: the local server does not know what a ${resource.type} (${id}) is called`,
      );
    }
    return identity;
  }

  /** Made when first asked for, then the same for the life of the stack. */
  #secret(arn: string): string | undefined {
    const resource = this.resources('AWS::SecretsManager::Secret').find(({ id }) => this.ref(id) === arn);
    if (resource === undefined) return undefined;
    const value = this.#secrets.get(arn) ?? secretValue(resource.properties);
    this.#secrets.set(arn, value);
    return value;
  }
}
