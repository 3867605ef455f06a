import { stringify } from 'yaml';

/** Plain data as YAML on one line. */
export const writeFlow = (data: unknown): string => stringify(data, { collectionStyle: 'flow', lineWidth: 0 }).trim();

/** Plain data as YAML, without folded lines. */
export const writeYaml = (data: unknown): string => stringify(data, { lineWidth: 0 });
