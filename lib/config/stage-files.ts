import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StageError } from './stage-error.ts';

const FOLDER = fileURLToPath(new URL('../../stages/', import.meta.url));

/** What a stage may be called: its name is part of names that AWS allows 32 characters. */
const NAME = /^[a-z][a-z0-9-]{0,13}$/;
export const STAGE_NAME_RULE = 'lower-case letters, digits and dashes, a letter first, at most 14';

/** The stages of this repository. Others are a deployer's own: they stand in no document and no template that is kept. */
export const SHIPPED_STAGES = ['dev', 'prod'] as const;

/** Reads the settings of a stage, unchecked. */
export interface StageFiles {
  /** The names of all stages, in order. */
  names(): string[];
  /** @throws {StageError} when the file is no JSON object */
  read(name: string): Readonly<Record<string, unknown>>;
}

/** The files `stages/<name>.json`. */
export const STAGE_FILES: StageFiles = {
  names: () =>
    readdirSync(FOLDER)
      .filter((file) => file.endsWith('.json') && NAME.test(file.slice(0, -'.json'.length)))
      .map((file) => file.slice(0, -'.json'.length))
      .filter((name) => name !== 'schema')
      .sort(),

  read: (name) => {
    const file = `${name}.json`;
    try {
      const content: unknown = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
      if (isObject(content)) return content;
    } catch (error) {
      throw new StageError(`stages/${file} cannot be read: ${(error as Error).message}.`);
    }
    throw new StageError(`stages/${file} must hold one JSON object.`);
  },
};

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
