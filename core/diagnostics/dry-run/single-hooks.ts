import type { GatewayConfig } from '../../config/gateway-config.ts';
import type { Finding } from '../../config/problem.ts';
import type { PluginInstance } from '../../contracts/plugin.ts';
import { singleHooks } from '../../server/serving/single-hooks.ts';

/** Plugins with a hook that an earlier plugin has, and only one may have. */
export const findSecond = (
  instances: readonly (PluginInstance | undefined)[],
  plugins: GatewayConfig['plugins'],
): readonly Finding[] =>
  Object.entries(singleHooks).flatMap(([hook, what]) => {
    const [first, ...others] = [...instances.entries()].filter(
      ([, instance]) => instance?.[hook as keyof typeof singleHooks] !== undefined,
    );
    return others.map(([index]): Finding => ({
      path: ['plugins', index, 'use'],
      rule: 'KOINE_EXTENSION_DUPLICATE',
      message:
        `${plugins[index]?.use} provides ${what}, and so does ${plugins[first?.[0] ?? 0]?.use}: ` +
        'keep only one of them.',
    }));
  });

/** Without a plugin that identifies callers, every request is refused. One that could not be started may be it. */
export const findUnidentified = (
  instances: readonly (PluginInstance | undefined)[],
  { models, plugins }: Pick<GatewayConfig, 'models' | 'plugins'>,
): readonly Finding[] =>
  Object.keys(models).length === 0 || instances.some((instance) => instance === undefined || instance.identify)
    ? []
    : [
        {
          path: plugins.length === 0 ? [] : ['plugins'],
          on: 'key',
          severity: 'warning',
          rule: 'no-identification',
          message:
            'No plugin identifies callers, so every request is refused with 401. Add one, such as "- use: auth".',
        },
      ];
