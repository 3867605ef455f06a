import type { OptionFinding } from '../contracts/option-finding.ts';

/**
 * A finding for each setting whose reader throws: `{ 'remote.timeout': () => readTimeout(options) }`. For `check` of
 * extensions whose `create` reads its settings by the same functions.
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
