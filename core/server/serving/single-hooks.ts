import type { PluginInstance } from '../../contracts/plugin.ts';
import { GatewayError } from '../../errors/gateway-error.ts';

/** Hooks that at most one plugin may have, and what they are. */
export const singleHooks = { strategy: 'a strategy', account: 'an account of the prompt cache' } as const;

/** @throws GatewayError `KOINE_EXTENSION_DUPLICATE` */
export const selectOne = <H extends keyof typeof singleHooks>(
  plugins: readonly PluginInstance[],
  hook: H,
): PluginInstance[H] => {
  const [first, second] = plugins.flatMap((plugin) => plugin[hook] ?? []);
  if (second !== undefined)
    throw new GatewayError(
      'KOINE_EXTENSION_DUPLICATE',
      `Two plugins provide ${singleHooks[hook]}: keep only one of them. \`koine check\` names them.`,
    );
  return first;
};
