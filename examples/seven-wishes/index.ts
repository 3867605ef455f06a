import { definePlugin, GatewayError, type Headers } from 'koine-gateway';

interface Options {
  readonly models: Readonly<Record<string, string>>;
  readonly policy: string;
  readonly phrase: string;
}

const HEADER = 'x-team';

export default definePlugin<Options>({
  kind: 'plugin',
  apiVersion: 1,
  name: 'seven-wishes',
  schema: {
    type: 'object',
    properties: {
      models: {
        description: 'The teams, and the model of each for requests for the model "team".',
        type: 'object',
        additionalProperties: { type: 'string' },
        minProperties: 1,
      },
      policy: { description: 'A text before each prompt.', type: 'string', minLength: 1 },
      phrase: { description: 'A text that no response contains.', type: 'string', minLength: 1 },
    },
    required: ['models', 'policy', 'phrase'],
    additionalProperties: false,
  },
  create: ({ models, policy, phrase }, { metrics }) => {
    const requests = metrics.counter('team_requests_total', 'Requests by team.', ['team']);
    const teams = new Map(
      Object.entries(models).map(([team, model]) => [team, { model, count: requests.bind([team]) }]),
    );
    const readTeam = (headers: Headers) => {
      const team = headers[HEADER] ?? '';
      const found = teams.get(team);
      if (found !== undefined) return { team, ...found };
      // 1. A request without a team is refused, in the wire of its client.
      throw new GatewayError('invalid_request', `Set the header ${HEADER} to one of: ${[...teams.keys()].join(', ')}.`);
    };
    return {
      rewrite: ({ headers, model, operation, request }) => {
        const found = readTeam(headers);
        return {
          // 2. The team has a model of its own.
          model: model === 'team' ? found.model : model,
          // 3. A system prompt comes first.
          ...(operation === 'generate' && {
            request: {
              ...request,
              turns: [{ role: 'system', parts: [{ type: 'text', text: policy }] }, ...request.turns],
            },
          }),
        };
      },
      // 4. The phrase is redacted, also where a stream splits it.
      guard: () => ({
        window: phrase.length - 1,
        inspect: (text) => (text.includes(phrase) ? { replace: text.replaceAll(phrase, '[redacted]') } : 'pass'),
      }),
      admit: ({ headers }) => {
        const { team, count } = readTeam(headers);
        // 6. A metric counts requests.
        count(1);
        return {
          // 5. The row of the ledger and the line of the access log have the team,
          annotations: { tags: { team }, log: { team } },
          // 7. and so has the response.
          headers: { [HEADER]: team },
        };
      },
      // 7. An endpoint of its own, for callers with a key.
      endpoints: (router) => router.get('/v1/teams', () => ({ body: { teams: [...teams.keys()] } })),
    };
  },
});
