import type { Capabilities } from '../../../core/contracts/capabilities.ts';
import { coreFits } from '../../../core/fits/index.ts';
import { fitLaws } from '../../../core/testing/index.ts';
import { createProfile } from './samples.ts';

/** A target that refuses everything it can, one with efforts, and one without any data. */
const refusing: Capabilities = {
  thinking: 'budget',
  sampling: false,
  stop: false,
  choices: false,
  logprobs: false,
  json: false,
  schema: false,
  prefill: false,
  forcedTool: false,
  customTools: false,
  toolName: /^[a-z]{1,12}$/,
  mediaUrls: false,
  midSystem: false,
  maxOutput: 2_000,
  jsonWithTools: false,
  minBudget: 128,
  maxBudget: 1_500,
};
const forcing: Capabilities = {
  ...refusing,
  cacheMarks: ['5m', '1h'],
  forcedTool: true,
  efforts: ['high'],
  thinking: 'adaptive',
  thinkingOff: false,
  maxTemperature: 0.5,
  temperatureWithTopP: false,
};
const profiles = ['messages', 'chat-completions', 'generate-content'].flatMap((wire) =>
  [refusing, forcing, {}].map((capabilities) => createProfile(capabilities, { wire })),
);

describe('the laws of fits, for each fit of the core', () => {
  for (const fit of coreFits) {
    it(`the fit laws hold for ${fit.name}`, async () => {
      for (const { name, run } of fitLaws(fit, profiles)) {
        try {
          await run();
        } catch (thrown) {
          throw new Error(name, { cause: thrown });
        }
      }
    });
  }
});
