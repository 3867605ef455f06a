import { pathToFileURL } from 'node:url';
import { isAbsolute, normalize } from 'node:path';
import { encodeProblem, formatProblem, linkRule, type Problem } from '../../config/problem.ts';

/** Formats problems as `--format` selects. */
export type WriteProblems = (problems: readonly Problem[]) => string;

const writeText: WriteProblems = (problems) => problems.map((problem) => `${formatProblem(problem)}\n\n`).join('');

const writeJson = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/**
 * https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions, escaped as in
 * `toolkit/packages/core/src/command.ts`
 */
const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapeProperty = (text: string): string => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** @param advice the word for it */
const nameSeverity = (severity: Problem['severity'], advice: string): string =>
  severity === 'advice' ? advice : severity;

/** One workflow command per line; each becomes an annotation of the file. */
const writeGithub: WriteProblems = (problems) =>
  problems
    .map(({ file, line, column, severity, rule, message }) => {
      const properties = Object.entries({ file: normalize(file), line, col: column, title: rule }).map(
        ([name, value]) => `${name}=${escapeProperty(String(value))}`,
      );
      const text = escapeData(`${message} (${linkRule(rule)})`);
      return `::${nameSeverity(severity, 'notice')} ${properties.join(',')}::${text}\n`;
    })
    .join('');

const uriOf = (file: string): string =>
  isAbsolute(file) ? pathToFileURL(file).href : normalize(file).split('/').map(encodeURIComponent).join('/');

/** SARIF 2.1.0: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html */
const writeSarif: WriteProblems = (problems) => {
  const rules = [...new Set(problems.map(({ rule }) => rule))].toSorted();
  return writeJson({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'koine', rules: rules.map((id) => ({ id, help: { text: `See ${linkRule(id)}.` } })) } },
        columnKind: 'utf16CodeUnits',
        results: problems.map(({ file, line, column, severity, rule, message }) => ({
          ruleId: rule,
          ruleIndex: rules.indexOf(rule),
          level: nameSeverity(severity, 'note'),
          message: { text: message },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: uriOf(file) },
                region: { startLine: line, startColumn: column },
              },
            },
          ],
        })),
      },
    ],
  });
};

/** By the value of `--format`. */
export const reports: ReadonlyMap<string, WriteProblems> = new Map(
  Object.entries({
    text: writeText,
    json: (problems) => writeJson(problems.map(encodeProblem)),
    github: writeGithub,
    sarif: writeSarif,
  }),
);
