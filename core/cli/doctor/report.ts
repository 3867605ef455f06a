import type { ExaminedCredential, UsableModels } from '../../diagnostics/vendors/examine-vendor.ts';
import type { ExplainedFailure } from '../../diagnostics/vendors/explain-failure.ts';

/** A provider of the configuration, with each of its credentials. */
export interface ExaminedProvider {
  /** Under `providers`. */
  readonly provider: string;
  readonly use: string;
  /** In the order in which they are used. */
  readonly credentials: readonly ExaminedCredential[];
  /** Why the provider did not start. */
  readonly failure?: ExplainedFailure;
}

/**
 * Whether something does not work. A credential that is not set is a finding only where the provider was named: the
 * shipped configuration has providers without keys.
 */
export const isFinding = ({ credentials, failure }: ExaminedProvider, isNamed: boolean): boolean =>
  failure !== undefined ||
  credentials.some(({ status }) => status === 'failed') ||
  (isNamed && credentials.every(({ status }) => status === 'unset'));

const titles: Readonly<Record<ExaminedCredential['status'], string>> = {
  works: 'works',
  failed: 'FAILED',
  unset: 'not set',
  unchecked: 'not checked',
};

const writeFailure = ({ code, status, message, advice }: ExplainedFailure): readonly string[] => [
  `${code}${status === undefined ? '' : ` (status ${status})`}: ${message}`,
  advice,
];

const writeModels = ({ listed, available, missing, ending }: UsableModels): readonly string[] => [
  `models: ${listed} listed; of the configuration ${available.length} available` +
    (missing.length === 0 ? '' : `, not listed: ${missing.join(', ')}`),
  ...ending.map(({ name, ends }) => `the vendor ends ${name} on ${ends}`),
];

const writeCredential = (examined: ExaminedCredential): readonly string[] => {
  const { credential, status, check, model, ms, models, limits = [], reason, failure } = examined;
  const by = check === undefined ? '' : ` by ${check === 'models' ? 'its list of models' : `a generation of ${model}`}`;
  const details = [
    ...(reason === undefined ? [] : [reason]),
    ...(failure === undefined ? [] : writeFailure(failure)),
    ...(models === undefined ? [] : writeModels(models)),
    ...limits.map(({ unit, limit, remaining }) => `limit: ${remaining} of ${limit} ${unit} left`),
  ];
  const time = ms === undefined ? '' : ` (${ms} ms)`;
  const head = `  ${credential}  ${titles[status]}${status === 'works' ? by : ''}${time}`;
  return [head, ...details.map((line) => `    ${line}`)];
};

/** A paragraph for each provider. */
export const writeReport = (providers: readonly ExaminedProvider[]): string =>
  providers
    .map(({ provider, use, credentials, failure }) => {
      const head = provider === use ? provider : `${provider} (${use})`;
      const lines = [
        head,
        ...(failure === undefined ? [] : writeFailure(failure).map((line) => `  ${line}`)),
        ...credentials.flatMap(writeCredential),
      ];
      return `${lines.join('\n')}\n`;
    })
    .join('\n');
