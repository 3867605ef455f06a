import type { JsonObject, Tool } from '../../../../../../core/api/index.ts';
import { lookUp, omitUndefined } from '../../../../../../core/api/codec.ts';
import { choice, integer, integers, number, objectOf, text } from './schema.ts';

/**
 * Tools that the vendor defines and the client executes. The vendor's models know their schemas, so requests do not
 * have them: these are the schemas of the vendor's documentation.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview
 */
type Definition = Required<Pick<Tool, 'description' | 'schema'>>;

const describeBash = (): Definition => ({
  description: 'Runs commands in a bash session that persists between calls.',
  schema: objectOf(
    {
      command: text('The command to run. Required unless the session is restarted.'),
      restart: { type: 'boolean', description: 'Whether to restart the session instead of running a command.' },
    },
    [],
  ),
});

const fileMembers: JsonObject = {
  path: text('Absolute path of the file or directory.'),
  view_range: integers(2, 'For `view` of a file: first and last line, counted from 1; -1 is the end of the file.'),
  file_text: text('For `create`: the content of the new file.'),
  old_str: text('For `str_replace`: the text to replace, which must occur exactly once.'),
  insert_line: integer('For `insert`: the line after which the text is inserted; 0 is the beginning of the file.'),
};

/** Up to January 2025 there is an undo, and `insert` takes its text from `new_str`. */
const describeEditor = (date: string, { max_characters: limit }: JsonObject): Definition => {
  const isOld = date < '20250429';
  const commands = ['view', 'create', 'str_replace', 'insert', ...(isOld ? ['undo_edit'] : [])];
  const cut = typeof limit === 'number' ? ` A view is cut after ${limit} characters.` : '';
  return {
    description: `Views, creates and edits text files.${cut}`,
    schema: objectOf(
      {
        command: choice(commands, 'What to do.'),
        ...fileMembers,
        new_str: text(`For \`str_replace\`${isOld ? ' and `insert`' : ''}: the new text.`),
        ...(isOld ? {} : { insert_text: text('For `insert`: the text to insert.') }),
      },
      ['command', 'path'],
    ),
  };
};

const describeMemory = (): Definition => ({
  description:
    'Reads and writes files below /memories, which persist between conversations. View the directory before you start.',
  schema: objectOf(
    {
      command: choice(['view', 'create', 'str_replace', 'insert', 'delete', 'rename'], 'What to do.'),
      ...fileMembers,
      path: text('Path of the file or directory below /memories, for every command but `rename`.'),
      new_str: text('For `str_replace`: the new text.'),
      insert_text: text('For `insert`: the text to insert.'),
      old_path: text('For `rename`: the present path.'),
      new_path: text('For `rename`: the new path.'),
    },
    ['command'],
  ),
});

const firstActions = 'key type mouse_move left_click left_click_drag right_click middle_click double_click';
const laterActions = 'left_mouse_down left_mouse_up triple_click scroll hold_key wait';

const describeComputer = (date: string, members: JsonObject): Definition => {
  const { display_width_px: width, display_height_px: height, enable_zoom: zoom } = members;
  const hasLater = date >= '20250124';
  const actions = [
    ...`${firstActions} screenshot cursor_position`.split(' '),
    ...(hasLater ? laterActions.split(' ') : []),
    ...(zoom === true ? ['zoom'] : []),
  ];
  return {
    description:
      `Controls a computer with a screen of ${String(width)} x ${String(height)} pixels by mouse and keyboard. ` +
      'Take a screenshot to see the result of an action. Coordinates are pixels from the top left corner.',
    schema: objectOf(
      omitUndefined({
        action: choice(actions, 'What to do.'),
        coordinate: integers(2, 'Where: x and y.'),
        start_coordinate: integers(2, 'For `left_click_drag`: where the drag starts.'),
        text: text('For `type`: the text. For `key`: the keys, such as `ctrl+s`. For clicks: keys held down.'),
        scroll_direction: hasLater ? choice(['up', 'down', 'left', 'right'], 'For `scroll`.') : undefined,
        scroll_amount: hasLater ? integer('For `scroll`: how many steps of the wheel.') : undefined,
        duration: hasLater ? number('For `wait` and `hold_key`: seconds.') : undefined,
        region: zoom === true ? integers(4, 'For `zoom`: left, top, right and bottom of the region.') : undefined,
      }),
      ['action'],
    ),
  };
};

const describers: Readonly<Record<string, (date: string, members: JsonObject) => Definition>> = {
  bash: describeBash,
  text_editor: describeEditor,
  memory: describeMemory,
  computer: describeComputer,
};

/** The description and the schema of a tool that the client executes; `undefined` for every other type. */
export function describeClientTool(type: string, members: JsonObject): Definition | undefined {
  const { family = '', date = '' } = /^(?<family>[a-z_]+)_(?<date>\d{8})$/.exec(type)?.groups ?? {};
  return lookUp(describers, family)?.(date, members);
}
