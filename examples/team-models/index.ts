import { definePlugin, GatewayError, type Part } from 'koine-gateway';

interface Options {
  readonly models: Readonly<Record<string, string>>;
  readonly blocked: readonly string[];
}

/** What clients ask for. */
const TEAM_MODEL = 'team';

/** The texts of a message and of the tool results in it. */
const textsOf = (parts: readonly Part[]): readonly string[] =>
  parts.flatMap((part) =>
    part.type === 'text' ? [part.text] : part.type === 'tool-result' ? textsOf(part.parts) : [],
  );

/** Clients ask for the model "team", and get the one of their project. Prompts with a blocked word are refused. */
export default definePlugin<Options>({
  kind: 'plugin',
  apiVersion: 1,
  name: 'team-models',
  schema: {
    type: 'object',
    properties: {
      models: {
        description: 'The model of each project, by the name of the project.',
        type: 'object',
        additionalProperties: { type: 'string' },
        minProperties: 1,
      },
      blocked: {
        description: 'Words that no prompt may contain, in any case.',
        type: 'array',
        items: { type: 'string', minLength: 1 },
        default: [],
      },
    },
    required: ['models'],
    additionalProperties: false,
  },
  check: ({ models }, catalog) =>
    Object.entries(models).flatMap(([project, model]) =>
      catalog.models.includes(model)
        ? []
        : [{ path: ['models', project], message: `Name one of the models: ${catalog.models.join(', ')}.` }],
    ),
  create: ({ models, blocked }) => {
    const modelOf = new Map(Object.entries(models));
    const words = blocked.map((word) => word.toLowerCase());
    return {
      rewrite: ({ model, request, caller: { project } }) => {
        const prompt = 'turns' in request ? request.turns.flatMap(({ parts }) => textsOf(parts)).join('\n') : '';
        const found = words.find((word) => prompt.toLowerCase().includes(word));
        if (found !== undefined)
          throw new GatewayError('permission_denied', `The policy of this gateway blocks prompts with "${found}".`);
        if (model !== TEAM_MODEL) return undefined;
        const chosen = modelOf.get(project);
        if (chosen === undefined)
          throw new GatewayError('permission_denied', `The project ${project} has no model. Ask for one by its name.`);
        return { model: chosen };
      },
      // Tags the response.
      admit: ({ caller }) => ({ headers: { 'x-team': caller.project } }),
    };
  },
});
