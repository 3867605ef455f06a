import { Document, isMap, isScalar, isSeq } from 'yaml';
import { isObject } from '../../canonical/json/members.ts';
import type { Substitution } from '../read/interpolate.ts';
import type { OpenedConfig } from '../read/open-config.ts';
import type { Path } from '../problem.ts';
import { writeYaml } from './write-yaml.ts';
import type { Redactor } from './redactor.ts';

export type PrintFormat = 'yaml' | 'json';

type MapLeaf = (path: Path, value: unknown) => unknown;

const isLeaf = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : !isObject(value) || Object.keys(value).length === 0;

/** Copies a tree with its leaves mapped. Objects that YAML aliases shared are copied each time. */
const mapLeaves = (value: unknown, mapLeaf: MapLeaf, path: Path = []): unknown => {
  if (isLeaf(value)) return mapLeaf(path, value);
  if (Array.isArray(value)) return value.map((item, index) => mapLeaves(item, mapLeaf, [...path, index]));
  return Object.fromEntries(
    Object.entries(isObject(value) ? value : {}).map(([name, member]) => [
      name,
      mapLeaves(member, mapLeaf, [...path, name]),
    ]),
  );
};

/** The includes are already merged. */
const withoutInclude = (data: object): object =>
  Object.fromEntries(Object.entries(data).filter(([name]) => name !== 'include'));

/** Removes the defaults that validation added. */
const withoutDefaults = (value: unknown, isWritten: OpenedConfig['isWritten'], path: Path = []): unknown => {
  if (Array.isArray(value)) return value.map((item, index) => withoutDefaults(item, isWritten, [...path, index]));
  if (!isObject(value)) return value;
  const written = Object.entries(value).filter(([name]) => isWritten([...path, name]));
  return Object.fromEntries(
    written.map(([name, member]) => [name, withoutDefaults(member, isWritten, [...path, name])]),
  );
};

const writeJson = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** The merged files as they are written, with `${…}` not interpolated. */
export function printWritten(
  { data, isWritten, writtenOf }: OpenedConfig,
  redact: Redactor,
  format: PrintFormat,
): string {
  const shown = mapLeaves(withoutDefaults(withoutInclude(data), isWritten), (path, value) => {
    const written = writtenOf(path);
    return written === undefined ? redact.value(path, value) : redact.written(path, written);
  });
  return format === 'json' ? writeJson(shown) : writeYaml(shown);
}

const comment = (node: unknown, describe: (path: Path) => string, path: Path = []): void => {
  if (isMap(node) && node.items.length > 0)
    for (const { key, value } of node.items)
      comment(value, describe, [...path, isScalar(key) ? String(key.value) : '']);
  else if (isSeq(node) && node.items.length > 0)
    for (const [index, item] of node.items.entries()) comment(item, describe, [...path, index]);
  else if (isScalar(node)) node.comment = ` ${describe(path)}`;
  else if (isMap(node) || isSeq(node)) Object.assign(node, { flow: true, comment: ` ${describe(path)}` });
};

const describeFilling = (substitution: Substitution): string => {
  if ('file' in substitution) return `file ${substitution.file}`;
  return substitution.isSet ? `variable ${substitution.variable}` : `default of variable ${substitution.variable}`;
};

/** The source of a value: `default`, `gateway.yaml:12` or `gateway.yaml:12, variable OPENAI_API_KEY`. */
function describeOrigin(
  { isWritten, substitutionsOf, findKey }: Pick<OpenedConfig, 'isWritten' | 'substitutionsOf' | 'findKey'>,
  path: Path,
): string {
  if (!isWritten(path)) return 'default';
  const { file, line } = findKey(path);
  return [`${file}:${line}`, ...substitutionsOf(path).map(describeFilling)].join(', ');
}

/** Every effective value with its source: as a comment in YAML, as `{ value, origin }` in JSON. */
export function printEffective(draft: object, opened: OpenedConfig, redact: Redactor, format: PrintFormat): string {
  const settings = withoutInclude(draft);
  const describe = (path: Path): string => describeOrigin(opened, path);
  if (format === 'json')
    return writeJson(
      mapLeaves(settings, (path, value) => ({ value: redact.value(path, value), origin: describe(path) })),
    );
  const document = new Document(mapLeaves(settings, redact.value));
  comment(document.contents, describe);
  return document.toString({ lineWidth: 0 });
}
