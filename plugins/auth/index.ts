import { collectSettingErrors, definePlugin, type OptionFinding } from '../../core/index.ts';
import { createFailureMetric } from './failures.ts';
import { createFindKey } from './find-key.ts';
import { createIdentify } from './identify.ts';
import { readFailureRule, readRemoteSettings, settingReaders, type AuthOptions } from './options.ts';
import { createRemoteKeys } from './remote-keys.ts';
import { schema } from './schema.ts';
import { createThrottle } from './throttle.ts';

const unthrottled: OptionFinding = {
  path: ['failures'],
  severity: 'advice',
  message:
    'An address may try as many wrong keys as it likes. Leave the setting out: 20 a minute block it for a minute.',
};

/** Knows the caller by an API key, and blocks addresses that guess keys. Blocks and confirmed keys outlive a reload that leaves their settings as they are. */
export default definePlugin<AuthOptions>({
  kind: 'plugin',
  apiVersion: 1,
  name: 'auth',
  init: { position: 20, comment: 'Knows callers by their keys.' },
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
    return {
      identify: createIdentify({
        find: createFindKey(keys, remote),
        throttle,
        clock,
        note: createFailureMetric(metrics),
      }),
    };
  },
});
