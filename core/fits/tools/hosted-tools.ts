import type { Tool } from '../../canonical/tool.ts';
import { defineFit } from '../../contracts/fit.ts';
import { describeField } from '../support/field-name.ts';
import { unsupportedParameter } from '../support/unsupported.ts';

const describeTool = ({ vendor, name }: Tool): string => (typeof vendor?.['type'] === 'string' ? vendor['type'] : name);

/**
 * A tool that runs at the vendor exists on the vendor's wire only. Refused, because leaving it out would change the
 * possible answers.
 */
export const hostedToolsFit = defineFit({
  name: 'hosted-tools',
  fit({ tools, wire }, profile, { client }) {
    if (wire === profile.wire) return undefined;
    const hosted = tools.find(({ kind }) => kind === 'hosted');
    if (hosted === undefined) return undefined;
    throw unsupportedParameter(
      describeField(client, 'tools'),
      `The model ${profile.model} does not have the tool '${describeTool(hosted)}': it runs at the vendor of the ` +
        `${wire} wire. Remove it, or choose a model of that vendor.`,
    );
  },
});
