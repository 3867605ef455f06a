import type { OptionFinding } from '../contracts/extension.ts';

/**
 * Returns a finding for each setting whose reader throws. For the `check` of extensions whose `create` uses the same
 * readers.
 *
 * @example collectSettingErrors({ 'remote.timeout': () => readTimeout(options) })
 */
export const collectSettingErrors = (readers: Readonly<Record<string, () => unknown>>): readonly OptionFinding[] =>
  Object.entries(readers).flatMap(([name, read]) => {
    try {
      read();
      return [];
    } catch (thrown) {
      return [{ path: name.split('.'), message: thrown instanceof Error ? thrown.message : String(thrown) }];
    }
  });
