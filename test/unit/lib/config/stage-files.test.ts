import { describe, expect, it } from '@jest/globals';
import { SHIPPED_STAGES, STAGE_FILES } from '../../../../lib/config/stage-files.ts';

describe('the files of the stages', () => {
  it('are those of the folder, and the schema is none', () => {
    expect(STAGE_FILES.names()).toEqual(expect.arrayContaining([...SHIPPED_STAGES]));
    expect(STAGE_FILES.names()).not.toContain('schema');
  });

  it('that cannot be read are named', () => {
    expect(() => STAGE_FILES.read('nowhere')).toThrow('stages/nowhere.json cannot be read');
  });
});
