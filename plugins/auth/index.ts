import { definePlugin, type OptionFinding } from '../../core/api/index.ts';
import { collectSettingErrors } from '../../core/api/internal.ts';
import { createFailureMetric } from './failure-metric.ts';
import { createFindKey } from './find-key.ts';
import { Identifier } from './identify.ts';
import { readFailureRule, readRemoteSettings, settingReaders, type AuthOptions } from './options.ts';
import { createRemoteKeys } from './remote-keys.ts';
import { schema } from './schema.ts';
import { createThrottle } from './throttle.ts';

const unthrottled: OptionFinding = {
  path: ['failures'],
  severity: 'advice',
  message:
    'Wrong keys are not limited. Remove this setting to block an address for a minute after 20 wrong keys a minute.',
};

/**
 * Identifies callers by API keys and blocks addresses that guess keys. Blocks and cached keys survive a reload that
 * does not change their settings.
 */
export default definePlugin<AuthOptions>({
  kind: 'plugin',
  apiVersion: 1,
  name: 'auth',
  init: { position: 20, comment: 'Identifies callers by their keys.' },
  schema,
  check: (options) => [
    ...collectSettingErrors(settingReaders(options)),
    ...(options.failures === false ? [unthrottled] : []),
  ],
  create: (options, services) => {
    const rule = readFailureRule(options);
    const settings = readRemoteSettings(options);
    const { keys, clock, metrics, shared } = services;
    const throttle = rule && shared(`auth failures ${JSON.stringify(rule)}`, () => createThrottle(rule, services));
    const remote =
      settings && shared(`auth remote ${JSON.stringify(settings)}`, () => createRemoteKeys(settings, services));
    const { identify } = new Identifier({
      find: createFindKey(keys, remote),
      throttle,
      clock,
      countFailure: createFailureMetric(metrics),
    });
    return { identify };
  },
});
