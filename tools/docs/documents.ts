import { readFileSync } from 'node:fs';
import { settingsSchema } from '../../lib/config/settings-schema.ts';
import { readResults } from '../bench/results.ts';
import { deployedOf } from '../costs/deployed.ts';
import { costsDocument } from '../costs/document.ts';
import { readMeasured } from '../costs/measured.ts';
import { leastPrivilegeTable } from './least-privilege.ts';
import { performanceDocument } from './performance/document.ts';
import { growthDocument, growthPlots } from './performance/growth.ts';
import { targetsChapter } from './performance/targets.ts';
import { settingsTable } from './settings-table.ts';

const SETTINGS_TABLE = /(<!-- settings -->\n)[\s\S]*?(<!-- \/settings -->)/;
const TABLE = /(<!-- least-privilege -->\n)[\s\S]*?(<!-- \/least-privilege -->)/;

/** The generated documents by their file; of the security and deployment pages only a table is generated. */
export function documents(): Readonly<Record<string, string>> {
  const security = readFileSync(fileOf('docs/security.md'), 'utf8');
  const deployment = readFileSync(fileOf('docs/deployment.md'), 'utf8');
  return {
    'stages/schema.json': `${JSON.stringify(settingsSchema(), null, 2)}\n`,
    'docs/costs.md': costsDocument(readMeasured()),
    'docs/deployment.md': deployment.replace(
      SETTINGS_TABLE,
      (_, begin, end) => `${begin}\n${settingsTable()}\n\n${end}`,
    ),
    'docs/performance.md': `${performanceDocument(readResults())}${targetsChapter(deployedOf('dev'), readMeasured())}`,
    'docs/growth.md': growthDocument(readResults()),
    ...growthPlots(readResults()),
    'docs/security.md': security.replace(
      TABLE,
      (_, begin, end) => `${begin}\n${leastPrivilegeTable()}\n\n${end}`,
    ),
  };
}

export function fileOf(name: string): URL {
  return new URL(`../../${name}`, import.meta.url);
}
