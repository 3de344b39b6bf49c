import { ATTACK_RATE, ATTACKS, attackHour, BEFORE, BOUNDS, quotaDay, quotaHours } from './attacks.ts';
import { type Deployed, deployedOf } from './deployed.ts';
import { fusesOf } from './fuses.ts';
import type { Measured } from './measured.ts';

const STAGES = ['dev', 'prod'] as const;

/** "What an attack costs an hour", as Markdown. */
export function attackSection(measured: Measured): string {
  const stages = STAGES.map((name) => ({ name, fuses: fusesOf(name), deployed: deployedOf(name) }));
  const rows = ATTACKS.flatMap((attack) =>
    stages.map(({ name, fuses, deployed }) => {
      const before = attackHour(attack, BEFORE[name], deployed, measured);
      const after = attackHour(attack, fuses, deployed, measured);
      return [attack.name, name, usd(before.rest), usd(after.rest), usd(after.edge)];
    }),
  );
  const quotas = stages.map(({ name, fuses, deployed }) => [
    `the quota of a day (${fuses.requestsPerDay.toLocaleString('en-US')}), used up by full pages in ${hours(quotaHours(fuses))}`,
    name,
    'no quota',
    `${usd(quotaDay(fuses, deployed as Deployed, measured))} a day`,
    '',
  ]);
  return [
    `At ${ATTACK_RATE.toLocaleString('en-US')} requests a second for an hour, USD. _Before_: the stages without the fuses of [ADR 10](adr/0010-cost-fuses.md). A test holds`,
    `_after_ to ${BOUNDS.dev} in \`dev\` and ${BOUNDS.prod} in \`prod\`.`,
    '',
    '| Attack | Stage | Before | After | CloudFront’s charge for taking requests in, whatever one does |',
    '|---|---|---:|---:|---:|',
    ...[...rows, ...quotas].map((cells) => `| ${cells.join(' | ')} |`),
  ].join('\n');
}

function usd(amount: number): string {
  return amount.toFixed(2);
}

function hours(amount: number): string {
  return `${amount.toFixed(1)} h`;
}
