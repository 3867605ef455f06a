import { yamlLibrary } from '../read/yaml-library.ts';

/** Plain data as YAML on one line. */
export const writeFlow = (data: unknown): string =>
  yamlLibrary().stringify(data, { collectionStyle: 'flow', lineWidth: 0 }).trim();

/** Plain data as YAML, without folded lines. */
export const writeYaml = (data: unknown): string => yamlLibrary().stringify(data, { lineWidth: 0 });
