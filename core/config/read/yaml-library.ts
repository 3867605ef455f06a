import { createRequire } from 'node:module';
import type * as yaml from 'yaml';

const require = createRequire(import.meta.url);
let loaded: typeof yaml | undefined;

/** The library of YAML. It is loaded on demand: most files are simple YAML, which {@link SimpleReader} reads. */
export const yamlLibrary = (): typeof yaml => (loaded ??= require('yaml') as typeof yaml);
