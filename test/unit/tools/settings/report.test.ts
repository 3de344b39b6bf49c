import { describe, expect, it } from '@jest/globals';
import { SETTING_NAMES } from '../../../../lib/config/settings.ts';
import { settingsReport } from '../../../../tools/settings/report.ts';

describe('npm run settings', () => {
  const report = settingsReport({ stage: 'prod', maxMarkets: '500' });

  it('prints every setting with where it comes from', () => {
    for (const name of SETTING_NAMES) expect(report).toMatch(new RegExp(`^${name} `, 'm'));
    expect(report).toMatch(/^waf +true +stages\/prod\.json$/m);
    expect(report).toMatch(/^maxMarkets +500 +-c$/m);
    expect(report).toMatch(/^edge +true +default$/m);
    expect(report).toMatch(/^region +\(none: where the CDK CLI deploys to\)$/m);
  });

  it('prints the limits that follow, and says when alarms tell nobody', () => {
    expect(report).toMatch(/^public plan +140\/s, burst 5000, 5000000 a day$/m);
    expect(report).toContain('Without alarmEmail no alarm and no budget tells anybody.');
    expect(settingsReport({ alarmEmail: 'me@example.com' })).not.toContain('Without alarmEmail');
  });

  it('prints the limits of the region that the CDK CLI deploys to', () => {
    expect(settingsReport({}, 'eu-south-1')).toMatch(/^public plan +\d+\/s, burst 1250,/m);
  });

  it('refuses what a synthesis would refuse', () => {
    expect(() => settingsReport({ waf: 'true', edge: 'false' })).toThrow('set waf=false too');
  });
});
