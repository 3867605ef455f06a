import { stringify } from 'yaml';

/** Plain data as people like to read it. */
export const writeYaml = (data: unknown): string => stringify(data, { lineWidth: 0 });
