import { definePlugin } from '../../core/api/index.ts';
import { collectSettingErrors } from '../../core/api/internal.ts';
import { TokenIdentifier } from './identify.ts';
import { KeySet } from './key-set.ts';
import { readCallerRules, readVerifyRules, settingReaders, type JwtOptions } from './options.ts';
import { schema } from './schema.ts';

/** Identifies callers by signed tokens of an issuer. Keys of the issuer survive a reload with the same settings. */
export default definePlugin<JwtOptions>({
  kind: 'plugin',
  apiVersion: 1,
  name: 'auth-jwt',
  schema,
  check: (options) => collectSettingErrors(settingReaders(options)),
  create: (options, services) => {
    const { issuer, jwksUri } = options;
    const { identify } = services.shared(
      `auth-jwt ${JSON.stringify(options)}`,
      () =>
        new TokenIdentifier(
          readVerifyRules(options),
          readCallerRules(options),
          new KeySet(issuer, jwksUri, services),
          services.clock,
        ),
    );
    return { identify };
  },
});
