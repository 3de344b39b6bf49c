import { readFileSync } from 'node:fs';
import { costsDocument } from './costs/document.ts';
import { readMeasured } from './costs/measured.ts';
import { leastPrivilegeTable } from './least-privilege.ts';

const TABLE = /(<!-- least-privilege -->\n)[\s\S]*?(<!-- \/least-privilege -->)/;

/** The generated documents by their file in docs/; of the security page only the table is generated. */
export function documents(): Readonly<Record<'costs.md' | 'security.md', string>> {
  const security = readFileSync(fileOf('security.md'), 'utf8');
  return {
    'costs.md': costsDocument(readMeasured()),
    'security.md': security.replace(TABLE, (_, begin, end) => `${begin}\n${leastPrivilegeTable()}\n\n${end}`),
  };
}

export function fileOf(name: string): URL {
  return new URL(`../../docs/${name}`, import.meta.url);
}
