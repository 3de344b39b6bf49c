import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../start-error.ts';
import type { Place } from './identities.ts';
import { isObject, type Json, type JsonObject, objectAt, stringAt } from './json.ts';

/** The synthesised stack that holds the API, and its bundles. */
export interface Assembly {
  readonly template: JsonObject;
  readonly place: Place;
  /** Folder of the bundle that would be uploaded under this S3 key. @throws {StartError} when there is none */
  bundleFolder(s3Key: string): string;
}

/** Used where the app leaves its account and region open. */
const ANYWHERE = { account: '000000000000', region: 'us-east-1' };

/** Reads a cloud assembly: the one stack with a REST API. Stacks without one (a web ACL elsewhere) are left out. */
export function readAssembly(directory: string): Assembly {
  const found = assembliesIn(directory);
  const [assembly, another] = found;
  if (assembly === undefined)
    throw new StartError('The CDK app has no stack with an AWS::ApiGateway::RestApi.');
  if (another !== undefined) {
    const names = found.map(({ place }) => place.stackName).join(', ');
    throw new StartError(`The CDK app has several stacks with an AWS::ApiGateway::RestApi: ${names}.`);
  }
  return assembly;
}

function assembliesIn(directory: string): Assembly[] {
  const manifest = readObject(join(directory, 'manifest.json'));
  const artifacts = Object.entries(objectAt(manifest.artifacts, 'manifest.json artifacts'));
  return artifacts.flatMap(([id, artifact]) => {
    const properties = isObject(artifact) && isObject(artifact.properties) ? artifact.properties : {};
    const type = isObject(artifact) ? artifact.type : undefined;
    if (type === 'cdk:cloud-assembly') {
      return assembliesIn(join(directory, stringAt(properties.directoryName, `${id}.directoryName`)));
    }
    if (type !== 'aws:cloudformation:stack' || !isObject(artifact)) return [];
    const template = readObject(join(directory, stringAt(properties.templateFile, `${id}.templateFile`)));
    if (!hasRestApi(template)) return [];
    const stackName = stringAt(properties.stackName ?? id, `${id}.stackName`);
    const place = { stackName, ...environmentOf(artifact.environment) };
    const bundles = bundlesOf(directory, artifacts);
    return [
      {
        template,
        place,
        bundleFolder: (key: string) => {
          const folder = bundles.get(key);
          if (folder === undefined) throw new StartError(`The cloud assembly holds no bundle for ${key}.`);
          return folder;
        },
      },
    ];
  });
}

function readObject(file: string): JsonObject {
  const parsed: Json = JSON.parse(readFileSync(file, 'utf8'));
  return objectAt(parsed, file);
}

function hasRestApi(template: JsonObject): boolean {
  const resources = isObject(template.Resources) ? Object.values(template.Resources) : [];
  return resources.some((resource) => isObject(resource) && resource.Type === 'AWS::ApiGateway::RestApi');
}

function environmentOf(environment: Json | undefined): { account: string; region: string } {
  const [, account = '', region = ''] = /^aws:\/\/([^/]+)\/(.+)$/.exec(String(environment)) ?? [];
  return {
    account: /^\d{12}$/.test(account) ? account : ANYWHERE.account,
    region: /^[a-z]{2}-/.test(region) ? region : ANYWHERE.region,
  };
}

/** Folders by the S3 key under which a deployment would upload them. */
function bundlesOf(directory: string, artifacts: readonly (readonly [string, Json])[]): Map<string, string> {
  const folders = new Map<string, string>();
  for (const [id, artifact] of artifacts) {
    if (!isObject(artifact) || artifact.type !== 'cdk:asset-manifest') continue;
    const file = stringAt(objectAt(artifact.properties, id).file, `${id}.file`);
    for (const [hash, asset] of Object.entries(objectAt(readObject(join(directory, file)).files, file))) {
      const { source, destinations } = objectAt(asset, hash);
      if (!isObject(source) || source.packaging !== 'zip') continue;
      const folder = join(directory, stringAt(source.path, `${hash}.source.path`));
      for (const destination of Object.values(objectAt(destinations, `${hash}.destinations`))) {
        folders.set(stringAt(objectAt(destination, hash).objectKey, `${hash}.objectKey`), folder);
      }
    }
  }
  return folders;
}
