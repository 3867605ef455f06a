import { hostedToolKinds } from '../../canonical/tool.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import type { HostedToolsRules } from '../../contracts/caller.ts';
import { section, setting } from './section.ts';

/** A list of hosted tools. */
export const toolKinds = (description: string): JsonObject =>
  setting(description, { type: 'array', uniqueItems: true, items: { enum: hostedToolKinds } });

const policy = (description: string): JsonObject => setting(description, { enum: ['drop', 'refuse'] });

const rules = section('Tools that can run at a vendor, and what happens to others.', {
  allow: toolKinds('The only tools that can run at a vendor. Empty: none. Default: all.'),
  otherwise: policy(
    'What happens to a tool that is not allowed, or that a target does not have: drop leaves it out, and names it as ' +
      'a loss; refuse refuses the request. Default: as for the setting as a whole.',
  ),
} satisfies Record<keyof HostedToolsRules, JsonObject>);

/**
 * `hostedTools`: a policy, a list, or both. Uses `if`, so that only the errors of one of them are reported.
 * @param fallback where the policy comes from without this setting
 */
export const hostedToolsSetting = (fallback: string): JsonObject => ({
  description:
    'Tools that run at a vendor (web_search, code_execution, mcp). A list: only these can be used; the lists of key, ' +
    'project, organization, route and model all apply. drop or refuse: what happens to a tool that is not allowed, ' +
    'or that a target does not have: it is left out, which is a loss, or the request is refused. ' +
    `{ allow: [web_search], otherwise: drop }: both. ${fallback}`,
  if: { type: 'array' },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: toolKinds('The only tools that can run at a vendor. Empty: none.'),
  else: {
    if: { type: 'object' },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: rules,
    else: policy('What happens to a tool that a target does not have.'),
  },
});
