import { TextField } from '@adobe/react-spectrum/TextField';
import type { ReactNode } from 'react';
import { useUnsavedEntry } from './use-guarded.ts';
import { CopyButton } from './CopyButton.tsx';
import { useFocusOnArrival } from './focus.ts';
import { invalid } from './forms.tsx';

interface Props {
  readonly title: string;
  readonly text: string;
  readonly level?: 3 | 4;
  readonly rows: readonly { readonly name: string; readonly value: string; readonly copy: string }[];
  /** The person has stored it elsewhere. */
  readonly isKept?: boolean;
  readonly children: ReactNode;
}

/** A value that is shown only once: it can be selected and copied, and disappears when the person confirms. */
export function Once({ title, text, level = 4, rows, isKept = false, children }: Props) {
  const focus = useFocusOnArrival<HTMLHeadingElement>(title);
  useUnsavedEntry(!isKept, 'place', 'once');
  const Heading = level === 3 ? 'h3' : 'h4';
  return (
    <div className="rp-notice rp-notice-warning" role="group" aria-label={title}>
      <div className="rp-notice-body rp-once">
        <Heading tabIndex={-1} ref={focus}>
          {title}
        </Heading>
        <p>{text}</p>
        <dl>
          {rows.map(({ name, value, copy }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <code className="rp-once-value">{value}</code>
                <CopyButton text={value} label={copy} />
              </dd>
            </div>
          ))}
        </dl>
        {children}
      </div>
    </div>
  );
}

interface EndFieldProps {
  readonly messages: { readonly label: string; readonly help: string; readonly over: string };
  /** `YYYY-MM-DD`, or empty. */
  readonly day: string;
  readonly isWrong: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (day: string) => void;
}

export function EndField({ messages, day, isWrong, isDisabled = false, onChange }: EndFieldProps) {
  return (
    <TextField
      type="date"
      label={messages.label}
      description={messages.help}
      value={day}
      onChange={onChange}
      isDisabled={isDisabled}
      width="100%"
      {...invalid(isWrong ? messages.over : undefined)}
    />
  );
}
