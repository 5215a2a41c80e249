import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Item, Picker } from '@adobe/react-spectrum/Picker';
import { TextArea } from '@adobe/react-spectrum/TextArea';
import { TextField } from '@adobe/react-spectrum/TextField';
import { ROLE_NAMES } from '@repoless/contract/access.ts';
import { EDIT_FIELDS, EDIT_KINDS } from '@repoless/core/rollouts/edit-draft.ts';
import type { DraftProblems, EditDraft, EditField } from '@repoless/core/rollouts/edit-draft.ts';
import { valueProblem } from '@repoless/core/messages/explain-failure.ts';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly draft: EditDraft;
  readonly number: number;
  readonly problems: DraftProblems;
  readonly profiles: readonly string[];
  readonly onChange: (draft: EditDraft) => void;
  /** Absent if it is the only one. */
  readonly onRemove: (() => void) | undefined;
}

export function EditFields({ draft, number, problems, profiles, onChange, onRemove }: Props) {
  const { form } = useMessages('rollouts').rollouts;
  const label = form.edit({ number, kind: form.kinds[draft.kind] });
  const help = form.kindHelp[draft.kind];
  return (
    <div className="rp-edit" role="group" aria-label={label}>
      <div className="rp-section-head">
        <h3>{label}</h3>
        {onRemove !== undefined && (
          <ActionButton isQuiet aria-label={form.removeOf({ label })} onPress={onRemove}>
            {form.remove}
          </ActionButton>
        )}
      </div>
      <Picker
        label={form.kind}
        selectedKey={draft.kind}
        onSelectionChange={(key) => onChange({ ...draft, kind: EDIT_KINDS.find((kind) => kind === key) ?? draft.kind })}
        width="100%"
      >
        {EDIT_KINDS.map((kind) => (
          <Item key={kind}>{form.kinds[kind]}</Item>
        ))}
      </Picker>
      {help !== '' && <p className="rp-quiet">{help}</p>}
      <div className="rp-edit-fields">
        {EDIT_FIELDS[draft.kind].map((field) => (
          <Field
            key={field}
            field={field}
            value={draft.values[field]}
            problem={problems[field]}
            profiles={profiles}
            onChange={(value) => onChange({ ...draft, values: { ...draft.values, [field]: value } })}
          />
        ))}
      </div>
    </div>
  );
}

interface FieldProps {
  readonly field: EditField;
  readonly value: string;
  readonly problem: DraftProblems[EditField];
  readonly profiles: readonly string[];
  readonly onChange: (value: string) => void;
}

function Field({ field, value, problem, profiles, onChange }: FieldProps) {
  const all = useMessages('rollouts');
  const { rollouts } = all;
  const { roleOf } = useMessages('access');
  const { form } = rollouts;
  const wrong =
    problem === undefined
      ? {}
      : {
          validationState: 'invalid' as const,
          errorMessage:
            problem.kind === 'needed'
              ? form.needed
              : problem.kind === 'line'
                ? form.line({ line: problem.line })
                : valueProblem(all, { detail: problem.sentence }),
        };
  const label = form.fields[field];
  const shared = { label, value, onChange, width: '100%', ...wrong };
  switch (field) {
    case 'role':
      return <Choice label={label} value={value} options={ROLE_NAMES.map((role) => [role, roleOf[role]])} onChange={onChange} />;
    case 'action':
      return <Choice label={label} value={value} options={Object.entries(form.actions)} onChange={onChange} />;
    case 'profile':
      if (profiles.length === 0) return <TextField {...shared} description={form.noProfiles} autoComplete="off" />;
      return (
        <Picker
          label={label}
          {...(value === '' ? {} : { selectedKey: value })}
          onSelectionChange={(key) => onChange(String(key))}
          width="100%"
          {...wrong}
        >
          {profiles.map((name) => (
            <Item key={name}>{name}</Item>
          ))}
        </Picker>
      );
    case 'json':
      return <TextArea {...shared} description={form.help.json} UNSAFE_className="rp-json" />;
    case 'pattern':
    case 'member':
    case 'pointer':
      return <TextField {...shared} description={form.help[field]} autoComplete="off" />;
    case 'name':
    case 'value':
    case 'content':
    case 'public':
      return <TextField {...shared} autoComplete="off" />;
    default:
      return field satisfies never;
  }
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [string, string])[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <Picker label={label} selectedKey={value} onSelectionChange={(key) => onChange(String(key))} width="100%">
      {options.map(([key, name]) => (
        <Item key={key}>{name}</Item>
      ))}
    </Picker>
  );
}
