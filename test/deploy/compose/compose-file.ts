import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../../../tools/release/lockfile.ts';

export interface Service {
  readonly image: string;
  readonly build?: { readonly context: string };
  readonly user?: string;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly ports?: readonly string[];
  readonly networks?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly read_only: boolean;
  readonly cap_drop: readonly string[];
  readonly security_opt: readonly string[];
  readonly stop_grace_period?: string;
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, object>>;
  readonly volumes: Readonly<Record<string, object>>;
}

export const folder = join(root, 'deploy/compose');
export const composeText = readFileSync(join(folder, 'compose.yaml'), 'utf8');

/** The variables of .env.example, in its order. */
export const exampleVariables = Array.from(
  readFileSync(join(folder, '.env.example'), 'utf8').matchAll(/^(\w+)=/gm),
  ([, name = '']) => name,
);

const VARIABLE = /\$(?:(\$)|\{(\w+)(?::([-?])([^}]*))?\})/g;

/** The variables that compose.yaml takes from .env. */
export const usedVariables = Array.from(composeText.matchAll(VARIABLE), ([, , name]) => name).filter(
  (name) => name !== undefined,
);

/** The file as Compose reads it with these variables: `${NAME:-default}`, `${NAME:?required}` and `$$`. */
export const readComposeFile = (variables: Readonly<Record<string, string>>): ComposeFile => {
  const interpolate = (text: string): string =>
    text.replaceAll(VARIABLE, (_, dollar?: string, name = '', kind?: string, rest = '') => {
      if (dollar !== undefined) return '$';
      const value = variables[name] ?? '';
      if (value === '' && kind === '?') throw new Error(`${name} is missing: ${rest}`);
      return value === '' && kind === '-' ? rest : value;
    });
  const read = (_: unknown, value: unknown): unknown => (typeof value === 'string' ? interpolate(value) : value);
  return parse(composeText, read, { merge: true }) as ComposeFile;
};
