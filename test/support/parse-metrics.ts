import type { MetricsSnapshot } from '../../core/api/index.ts';
import { formatMetrics, mergeMetrics } from '../../core/api/metrics.ts';

/** One sample line. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}
export interface Family {
  readonly type: string;
  readonly help: string;
  readonly samples: Sample[];
}

const HELP = /^# HELP ([a-zA-Z_:][\w:]*) ((?:[^\\]|\\\\|\\n)*)$/;
const TYPE = /^# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge|histogram)$/;
const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (NaN|[+-]Inf|-?\d+(?:\.\d+)?(?:e[+-]\d+)?)$/s;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\\\|\\"|\\n)*)"(,(?=.)|$)/sy;

const unescape = (text: string): string =>
  text.replaceAll(/\\(.)/gs, (_found, letter: string) => (letter === 'n' ? '\n' : letter));
const readNumber = (text: string): number => (text.endsWith('Inf') ? Number(`${text}inity`) : Number(text));

const readLabels = (text: string | undefined, line: string): Record<string, string> => {
  const labels: Record<string, string> = {};
  if (text === undefined) return labels;
  LABEL.lastIndex = 0;
  do {
    const [, name = '', value = ''] = LABEL.exec(text) ?? [];
    if (name === '' || name in labels) throw new Error(`these labels cannot be read: ${line}`);
    labels[name] = unescape(value);
  } while (LABEL.lastIndex < text.length);
  return labels;
};

const checkHistogram = (name: string, { samples }: Family): void => {
  const groups = Map.groupBy(samples, ({ labels }) => JSON.stringify({ ...labels, le: undefined }));
  for (const [labels, group] of groups) {
    const buckets = group
      .filter((sample) => sample.name === `${name}_bucket`)
      .map((sample) => ({ le: readNumber(sample.labels['le'] ?? 'none'), value: sample.value }));
    const fault = buckets.some(
      ({ le, value }, index) =>
        !(le > (buckets[index - 1]?.le ?? -Infinity)) || value < (buckets[index - 1]?.value ?? 0),
    );
    const count = group.filter((sample) => sample.name === `${name}_count`);
    const sum = group.filter((sample) => sample.name === `${name}_sum`);
    const last = buckets.at(-1);
    if (
      fault ||
      last?.le !== Infinity ||
      count.length !== 1 ||
      sum.length !== 1 ||
      count[0]?.value !== last.value ||
      group.length !== buckets.length + 2
    )
      throw new Error(`the histogram ${name}${labels} is not whole`);
  }
};

/**
 * Reads the text format of Prometheus, more strictly than Prometheus: an empty line can only separate metrics.
 * @throws for any deviation
 */
export const parseMetrics = (text: string): ReadonlyMap<string, Family> => {
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  let current: [name: string, family: Family] | undefined;
  let help: RegExpExecArray | undefined;
  if (text !== '' && !text.endsWith('\n')) throw new Error('the last line does not end');
  for (const line of text.replaceAll('\n\n# HELP ', '\n# HELP ').split('\n').slice(0, -1)) {
    const type = TYPE.exec(line);
    const sample = SAMPLE.exec(line);
    if (help !== undefined && type?.[1] !== help[1]) throw new Error(`HELP of ${help[1]} is not followed by its TYPE`);
    if (type !== null) {
      const [, name = '', kind = ''] = type;
      if (help === undefined || families.has(name)) throw new Error(`TYPE without HELP, or twice: ${line}`);
      current = [name, { type: kind, help: unescape(help[2] ?? ''), samples: [] }];
      families.set(...current);
      help = undefined;
    } else if (sample !== null) {
      const [, name = '', labels, value = ''] = sample;
      const suffix = current === undefined || !name.startsWith(current[0]) ? 'none' : name.slice(current[0].length);
      const allowed = current?.[1].type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
      if (current === undefined || !allowed.includes(suffix))
        throw new Error(`a sample that does not stand under its TYPE: ${line}`);
      const read = { name, labels: readLabels(labels, line), value: readNumber(value) };
      const key = JSON.stringify([name, Object.entries(read.labels).toSorted()]);
      if (seen.has(key)) throw new Error(`twice: ${line}`);
      if (current[1].type !== 'gauge' && suffix !== '_sum' && !(read.value >= 0 && read.value < Infinity))
        throw new Error(`a count that is none: ${line}`);
      seen.add(key);
      current[1].samples.push(read);
    } else {
      help = HELP.exec(line) ?? undefined;
      if (help === undefined) throw new Error(`neither HELP, TYPE nor a sample: ${JSON.stringify(line)}`);
    }
  }
  for (const [name, family] of families) if (family.type === 'histogram') checkHistogram(name, family);
  return families;
};

/** Metrics of one or several processes in scrape format. */
export const scrapeMetrics = (...snapshots: readonly MetricsSnapshot[]): ReadonlyMap<string, Family> =>
  parseMetrics(formatMetrics(mergeMetrics(snapshots)));

/** The sum of a metric over all samples with these label values; for histograms add `_count` or `_sum` to the name. */
export const sumOf = (
  families: ReadonlyMap<string, Family>,
  name: string,
  where: Readonly<Record<string, string>> = {},
): number => {
  const family = families.get(name) ?? families.get(name.replace(/_(?:count|sum)$/, ''));
  const wanted = Object.entries(where);
  return (family?.samples ?? [])
    .filter((sample) => sample.name === name && wanted.every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);
};
