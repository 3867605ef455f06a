import { isObject } from '../../canonical/json/members.ts';
import { writeYaml } from '../../config/write/write-yaml.ts';
import type {
  ExplainedPlugin,
  ExplainedRequest,
  ExplainedTarget,
  Explanation,
} from '../../server/explain/explanation.ts';

/** Longer strings are shortened: they are mostly encoded images. */
const MOST_CHARS = 400;

const indent = (depth: number, lines: readonly string[]): readonly string[] =>
  lines.map((line) => (line === '' ? '' : ' '.repeat(depth) + line));
const linesOf = (text: string): readonly string[] => text.trimEnd().split('\n');
const writeDollars = (dollars: number): string => `$${dollars.toLocaleString('en', { maximumSignificantDigits: 3 })}`;

const shorten = (_name: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > MOST_CHARS
    ? `${value.slice(0, MOST_CHARS / 2)}… (${value.length} characters)`
    : value;

const writeScalar = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(writeScalar).join(' ');
  return isObject(value) ? `(${writeFlow(value)})` : String(value);
};
/** On one line, without punctuation and without empty lists. */
const writeFlow = (data: object): string =>
  Object.entries(data)
    .filter(([, value]) => !Array.isArray(value) || value.length > 0)
    .map(([name, value]) => `${name} ${writeScalar(value)}`)
    .join(', ');

/**
 * The explanation of a plugin; lists have one item per line. The candidates of the strategy are shown with the targets.
 */
const writePluginExplanation = (explanation: unknown): readonly string[] => {
  if (!isObject(explanation)) return linesOf(writeYaml(explanation));
  return Object.entries(explanation).flatMap(([name, value]) => {
    if (name === 'candidates' || (Array.isArray(value) && value.length === 0)) return [];
    if (Array.isArray(value) && value.some(isObject))
      return [
        `${name}:`,
        ...indent(
          2,
          value.map((item) => (isObject(item) ? writeFlow(item) : writeScalar(item))),
        ),
      ];
    return isObject(value) ? [`${name}: ${writeFlow(value)}`] : [`${name}: ${writeScalar(value)}`];
  });
};

const writePlugin = ({ use, origin, phases, says, failed }: ExplainedPlugin, index: number): readonly string[] => [
  `  ${index + 1}. ${use}  (${origin})  ${phases.join(', ')}`,
  ...indent(5, failed === undefined ? [] : [`its explanation failed: ${failed}`]),
  ...indent(5, says === undefined ? [] : writePluginExplanation(says)),
];

const writeRequest = ({ method, url, headers, body }: ExplainedRequest): readonly string[] => [
  `${method} ${url}`,
  ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  '',
  ...linesOf(typeof body === 'string' ? body : JSON.stringify(body, shorten, 2)),
];

const writeCredential = ({ credential, state, reason, until }: ExplainedTarget['credentials'][number]): string =>
  `credential: ${credential}, ${state}` +
  `${reason === undefined ? '' : ` (${reason})`}${until === undefined ? '' : ` until ${until}`}`;

const writeTarget = (target: ExplainedTarget, index: number): readonly string[] => {
  const { lane, why, losses, credentials, skipped = [], price, estimatedCost, upstream, unsent } = target;
  return [
    `  ${index + 1}. ${target.target}${skipped.length === 0 ? '' : '  (skipped)'}`,
    ...indent(5, [
      ...skipped.map((reason) => `skipped: ${reason}`),
      ...(lane === undefined ? [] : [`lane: ${lane}, ${why ?? ''}`]),
      ...losses.map(({ field, kind, detail }) => `loses: ${field} is ${kind}: ${detail}`),
      ...credentials.map(writeCredential),
      ...(estimatedCost === undefined ? [] : [`costs: about ${writeDollars(estimatedCost)}`]),
      price === 'unknown' ? 'price: unknown' : `price: per million tokens ${writeFlow(price)}`,
      ...(unsent === undefined ? [] : [`sends: no call to show: ${unsent}`]),
      ...(upstream === undefined ? [] : ['sends:', ...indent(2, writeRequest(upstream)), '']),
    ]),
  ];
};

/** The lists that apply, and what happens to other tools. */
const writeToolRules = ({ lists, otherwise }: NonNullable<Explanation['hostedTools']>): string =>
  [
    ...lists.map(({ level, allow }) => `${level} allows ${allow.length === 0 ? 'none' : allow.join(', ')}`),
    ...(otherwise === undefined ? [] : [`otherwise ${otherwise}`]),
  ].join('; ');

/** What the hosted tools of the request could use. */
const writeTools = ({ hosted = [] }: Explanation['request']['estimate']): readonly string[] =>
  hosted.map(({ tool, uses, declared, unit, model, inputTokens, outputTokens }) => {
    const billed = [
      ...(unit === undefined ? [] : [unit]),
      ...(inputTokens + outputTokens > 0 ? [`about ${inputTokens} tokens in, ${outputTokens} out`] : []),
    ].join(' and ');
    const what = billed === '' ? '' : ` (${billed}${model === undefined ? '' : ` of ${model}`})`;
    return `          runs at the vendor: ${declared ? 'at most' : 'perhaps'} ${uses} uses of ${tool}${what}`;
  });

export function writeExplanation(explanation: Explanation): string {
  const { key, model, route, hostedTools, request, plugins, targets, notes = [] } = explanation;
  const { inputTokens, outputTokens, declared } = request.estimate;
  const lines = [
    `key       ${key.name} of ${key.organization}/${key.project}, from the ${key.origin}; ` +
      `may use ${key.models === 'all' ? 'all models' : key.models.join(', ')}`,
    `model     ${model.id}${model.alias === undefined ? '' : ` (by its alias ${model.alias})`}`,
    ...(model.defaults === undefined
      ? []
      : [`          where the request does not set them: ${JSON.stringify(model.defaults)}`]),
    `route     ${route.paths.join(', ')}`,
    `          wire ${route.wire}, operation ${route.operation}${route.stream ? ', streamed' : ''}; ` +
      `losses: ${route.losses}`,
    ...(hostedTools === undefined ? [] : [`tools     at vendors: ${writeToolRules(hostedTools)}`]),
    `request   ${request.body}: about ${inputTokens} tokens in, ` +
      `${declared ? 'at most' : 'perhaps'} ${outputTokens} out`,
    ...writeTools(request.estimate),
    '',
    'plugins, in order',
    ...plugins.flatMap(writePlugin),
    '',
    'targets, in the order in which they would be tried',
    ...targets.flatMap(writeTarget),
    ...(targets.every(({ skipped }) => skipped !== undefined)
      ? ['', 'No target would be called: the request would be refused.']
      : []),
    ...notes.flatMap((note) => ['', `note: ${note}`]),
  ];
  return `${lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trimEnd()}\n`;
}
