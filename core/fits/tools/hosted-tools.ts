import type { GenerateRequest } from '../../canonical/request.ts';
import type { Tool, ToolChoice } from '../../canonical/tool.ts';
import type { TargetProfile } from '../../contracts/codec-context.ts';
import { defineFit } from '../../contracts/fit.ts';
import { describeField } from '../support/field-name.ts';
import { unsupportedParameter } from '../support/unsupported.ts';

const describeTool = ({ vendor, name }: Tool): string => (typeof vendor?.['type'] === 'string' ? vendor['type'] : name);
const describeTools = (tools: readonly Tool[]): string =>
  [...new Set(tools.map((tool) => `'${describeTool(tool)}'`))].join(', ');

/**
 * The choice among the tools that remain.
 * @returns `undefined` if a call of a tool that does not remain is required
 */
const narrowChoice = (
  { mode, only }: ToolChoice,
  kept: readonly Tool[],
  dropped: readonly Tool[],
): ToolChoice | undefined => {
  const isForced = mode === 'required';
  if (only === undefined) return isForced && kept.length === 0 ? undefined : { mode };
  const gone = new Set(dropped.map(({ name }) => name));
  for (const { name } of kept) gone.delete(name);
  const left = only.filter((name) => !gone.has(name));
  if (left.length > 0) return { mode, only: left };
  return isForced ? undefined : { mode: 'none' };
};

const refusal = (tools: readonly Tool[], { wire }: GenerateRequest, { model }: TargetProfile): string =>
  `The model ${model} does not have the ${tools.length === 1 ? 'tool' : 'tools'} ${describeTools(tools)}: ` +
  `${tools.length === 1 ? 'it runs' : 'they run'} at the vendor of the ${wire} wire.`;

/**
 * A tool that runs at the vendor exists on the vendor's wire only. By policy it is refused, because leaving it out
 * changes the possible answers, or left out, because an agent cannot go on without an answer. A required call of such a
 * tool is refused in any case.
 */
export const hostedToolsFit = defineFit({
  name: 'hosted-tools',
  fit(request, profile, { client, lose, hostedTools = 'refuse' }) {
    const { tools, toolChoice, wire } = request;
    if (wire === profile.wire) return undefined;
    const dropped = tools.filter(({ kind }) => kind === 'hosted');
    if (dropped.length === 0) return undefined;
    if (hostedTools === 'refuse')
      throw unsupportedParameter(
        describeField(client, 'tools'),
        `${refusal(dropped, request, profile)} Remove ${dropped.length === 1 ? 'it' : 'them'}, or choose a model of ` +
          'that vendor. The operator of the gateway can set hostedTools: drop on the key, the route or the model.',
      );
    const kept = tools.filter(({ kind }) => kind !== 'hosted');
    const choice = toolChoice && narrowChoice(toolChoice, kept, dropped);
    if (toolChoice !== undefined && choice === undefined)
      throw unsupportedParameter(
        describeField(client, 'toolChoice'),
        `${refusal(dropped, request, profile)} A call of it is required. Choose a model of that vendor.`,
      );
    lose(
      describeField(client, 'tools'),
      'dropped',
      `${describeTools(dropped)} ${dropped.length === 1 ? 'runs' : 'run'} at the vendor of the ${wire} wire`,
    );
    return { request: { ...request, tools: kept, toolChoice: choice } };
  },
});
