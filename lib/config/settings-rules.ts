import type { ResolvedSettings } from './resolve-settings.ts';
import type { SettingName, Settings } from './settings.ts';
import { StageError } from './stage-error.ts';

/** Regions in which an account may make 2,500 requests a second of API Gateway rather than 10,000 (AWS's quotas page). */
export const SMALL_REGIONS: readonly string[] = [
  'af-south-1',
  'ap-south-2',
  'ap-southeast-3',
  'ap-southeast-4',
  'ap-southeast-5',
  'ap-southeast-7',
  'ca-west-1',
  'eu-central-2',
  'eu-south-1',
  'eu-south-2',
  'il-central-1',
  'me-central-1',
  'mx-central-1',
];
/** Half of an account's requests a second there: the stage as a whole is given twice the public plan. */
const SMALL_REGION_RATE = 1_250;

/**
 * What no single setting can know.
 *
 * @param cliRegion where a stage that names no region is deployed to, as far as it is known
 * @throws {StageError} for settings that contradict each other
 */
export function checkTogether({ settings: set, sources }: ResolvedSettings, cliRegion?: string): void {
  const settings = { ...set, region: set.region ?? cliRegion };
  const broken = RULES.find(({ breaks }) => breaks(settings, (name) => sources[name] !== 'default'));
  if (broken) throw new StageError(broken.sentence(settings));
}

interface Rule {
  breaks(settings: Settings, isSet: (name: SettingName) => boolean): boolean;
  sentence(settings: Settings): string;
}

const RULES: readonly Rule[] = [
  {
    breaks: ({ publicKeys }) => new Set(publicKeys.split(',')).size < publicKeys.split(',').length,
    sentence: ({ publicKeys }) =>
      `publicKeys=${publicKeys} names one key twice: the successor needs a name of its own.`,
  },
  {
    breaks: ({ domainName, certificateArn }) => (domainName === undefined) !== (certificateArn === undefined),
    sentence: () => 'The settings domainName and certificateArn belong together: set both.',
  },
  {
    breaks: ({ domainName, edge }) => domainName !== undefined && !edge,
    sentence: () => 'The setting domainName is the domain of the edge: it cannot go with edge=false.',
  },
  {
    breaks: ({ waf, edge }) => waf && !edge,
    sentence: () => 'The web ACL guards the edge, which edge=false leaves out: set waf=false too.',
  },
  {
    breaks: ({ edgeCache, edge }) => edgeCache && !edge,
    sentence: () => 'The edge keeps responses, and edge=false leaves it out: set edgeCache=false too.',
  },
  {
    breaks: (_, isSet) => isSet('gammaUrl') !== isSet('clobUrl'),
    sentence: () =>
      'The settings gammaUrl and clobUrl belong together, or catalogue and prices would come from two upstreams: set both.',
  },
  {
    breaks: ({ partnerRate, publicRate }) => partnerRate > publicRate,
    sentence: ({ partnerRate, publicRate }) =>
      `partnerRate=${partnerRate} is more than publicRate=${publicRate}: the API as a whole takes twice the public rate, and partners need room beside it.`,
  },
  {
    breaks: ({ region, publicRate }) => isSmall(region) && publicRate > SMALL_REGION_RATE,
    sentence: ({ region, publicRate }) =>
      `publicRate=${publicRate} is more than ${SMALL_REGION_RATE}: in ${region} an account may make 2,500 requests a second, and the API takes twice the public rate.`,
  },
];

export function isSmall(region: string | undefined): boolean {
  return region !== undefined && SMALL_REGIONS.includes(region);
}
