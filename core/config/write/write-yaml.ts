import { stringify } from 'yaml';

/** Plain data as YAML, without folded lines. */
export const writeYaml = (data: unknown): string => stringify(data, { lineWidth: 0 });
