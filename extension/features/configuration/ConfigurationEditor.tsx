import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { useLocale } from '@adobe/react-spectrum/Provider';
import type { AccessKind } from '@repoless/core/access/access-kind.ts';
import {
  type ConfigurationDraft,
  type ConfigurationRead,
  draftOf,
  type SectionName,
  SECTIONS,
  withSection,
} from '@repoless/core/configuration/configuration-kind.ts';
import type { HistorySubject, StoredDocument } from '@repoless/core/history/history-port.ts';
import { isObject } from '@repoless/core/history/json-place.ts';
import { undoChange } from '@repoless/core/history/undo-change.ts';
import type { ServicePort } from '@repoless/core/situation/ports.ts';
import { useRef, useState } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { Announcement } from '../../ui/Loading.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { ReviewBar } from '../access/ReviewBar.tsx';
import { ReadOnlyNotice } from '../access/notices.tsx';
import { useEdit } from '../access/use-edit.ts';
import { Section } from './Section.tsx';
import { FormFrameContext } from './leaves.tsx';

interface Props {
  readonly service: ServicePort;
  readonly subject: HistorySubject;
  readonly kind: AccessKind<ConfigurationDraft>;
  readonly read: ConfigurationRead;
  readonly saved: SavedStates | undefined;
  readonly onUnsaved: (isUnsaved: boolean) => void;
  readonly onSaved: (states: SavedStates) => void;
  readonly onHistory: () => void;
}

const PROBLEM = '.rp-section-body:not([hidden]) [aria-invalid="true"]';

type Names = ReadonlySet<SectionName>;

/** All sections as one draft: previewed together, saved by one call. */
export function ConfigurationEditor({ service, subject, kind, read, saved, onUnsaved, onSaved, onHistory }: Props) {
  const { form: messages } = useMessages('configuration');
  const unsaved = useRef({ draft: false, json: false });
  const tell = (part: Partial<typeof unsaved.current>): void => {
    unsaved.current = { ...unsaved.current, ...part };
    onUnsaved(unsaved.current.draft || unsaved.current.json);
  };
  const editor = useEdit({
    service,
    subject,
    kind,
    first: read.held,
    onUnsaved: (isUnsaved) => tell({ draft: isUnsaved }),
    onSaved: (before, after) => onSaved({ before, after }),
  });
  const { locale } = useLocale();
  const { draft, stored, phase } = editor;
  const [opened, setOpened] = useState<Names>(new Set<SectionName>(['headers']));
  const [broken, setBroken] = useState<Names>(new Set<SectionName>());
  const [said, setSaid] = useState('');
  const form = useRef<HTMLDivElement>(null);
  /** Changed to reset fields with their own text when the draft is replaced. */
  const [generation, setGeneration] = useState(0);
  const isLookOnly = read.refused !== undefined;
  const isDisabled = isLookOnly || phase.state === 'looking' || phase.state === 'saving';
  const all = opened.size === SECTIONS.length;
  const concerned = (name: SectionName): number => editor.concerned.filter((key) => `${key}/`.startsWith(`/${name}/`)).length;
  const titlesOf = (names: Iterable<SectionName>): string =>
    new Intl.ListFormat(locale, { type: 'conjunction' }).format([...names].map((name) => messages.sections[name].title));
  const wrong = SECTIONS.filter((name) => concerned(name) > 0);
  const setJson = (name: SectionName, isBroken: boolean): void => {
    const now = toggled(broken, name, isBroken);
    setBroken(now);
    tell({ json: now.size > 0 });
    // A preview would ignore text that is not valid JSON yet.
    if (isBroken && phase.state === 'review') editor.back();
  };
  const discarded = (): void => {
    setBroken(new Set());
    tell({ json: false });
    setGeneration(generation + 1);
    setSaid('');
  };
  return (
    <FormFrameContext
      value={{
        messages,
        isDisabled,
        hasHelp: !isLookOnly,
        profile: read.inherited?.profile,
        problemOf: (pointer) => editor.problemOf(pointer),
        say: setSaid,
      }}
    >
      {saved !== undefined && (
        <SavedChange
          saved={saved}
          isHidden={phase.state !== 'editing' || editor.isChanged || broken.size > 0}
          onHistory={onHistory}
          undo={{
            held: read.held.value,
            onUndo(document) {
              discarded();
              void editor.look(draftOf(document));
            },
          }}
        />
      )}
      {read.refused !== undefined && <ReadOnlyNotice failure={read.refused} />}
      <div className="rp-sections-head">
        <p className="rp-quiet">{messages.text}</p>
        <ActionButton isQuiet onPress={() => setOpened(new Set<SectionName>(all ? [] : SECTIONS))}>
          {all ? messages.collapseAll : messages.expandAll}
        </ActionButton>
      </div>
      <div className="rp-sections" key={generation} ref={form}>
        {SECTIONS.map((name) => (
          <Section
            key={name}
            name={name}
            value={draft[name]}
            stored={stored[name]}
            inherited={read.inherited?.values[name]}
            problems={concerned(name)}
            isOpen={opened.has(name) || concerned(name) > 0}
            onOpen={(isOpen) => setOpened((now) => toggled(now, name, isOpen))}
            onChange={(value) => editor.edit(withSection(draft, name, value))}
            onBroken={(isBroken) => setJson(name, isBroken)}
          />
        ))}
      </div>
      <Announcement>{said}</Announcement>
      {!isLookOnly && (
        <ReviewBar
          kind="site"
          editor={editor}
          messages={messages.review}
          blocked={broken.size === 0 ? undefined : messages.json.blocked({ names: titlesOf(broken) })}
          further={wrong.length === 0 ? [] : [messages.problemsAtFields({ sections: titlesOf(wrong) })]}
          onShowProblem={wrong.length === 0 ? undefined : () => form.current?.querySelector<HTMLElement>(PROBLEM)?.focus()}
          onDiscarded={discarded}
        />
      )}
    </FormFrameContext>
  );
}

function toggled(names: Names, name: SectionName, isIn: boolean): Names {
  if (names.has(name) === isIn) return names;
  return new Set(isIn ? [...names, name] : [...names].filter((one) => one !== name));
}

export interface SavedStates {
  readonly before: unknown;
  readonly after: unknown;
}

interface SavedChangeProps {
  readonly saved: SavedStates;
  /** There is a new draft. When it returns, it doesn't take focus, which is where the person types. */
  readonly isHidden?: boolean;
  readonly onHistory: () => void;
  /** Absent while what is stored cannot be read. */
  readonly undo?: {
    readonly held: unknown;
    /** Called with the current site without the change. */
    readonly onUndo: (document: StoredDocument) => void;
  };
}

/** It is stored; its undo is previewed like any change, and preserves other people's later changes. */
export function SavedChange({ saved, isHidden = false, onHistory, undo }: SavedChangeProps) {
  const { form: messages } = useMessages('configuration');
  const [said, setSaid] = useState('');
  const focus = useFocusOnArrival<HTMLDivElement>(saved);
  const undoSaved = ({ held, onUndo }: NonNullable<SavedChangeProps['undo']>): void => {
    const { before, after } = saved;
    if (!isObject(before) || !isObject(after) || !isObject(held)) return;
    const undone = undoChange(before, after, held);
    if (undone.state === 'clean') onUndo(undone.document);
    else setSaid(undone.state === 'overlaps' ? messages.undoOverlaps : messages.undone);
  };
  return (
    <div hidden={isHidden}>
      <Notice
        tone="info"
        role="status"
        title={messages.saved}
        focus={focus}
        actions={
          <>
            {undo !== undefined && <TextButton variant="accent" onPress={() => undoSaved(undo)} text={messages.undo} />}
            <TextButton onPress={onHistory} text={messages.history} />
          </>
        }
      >
        {said !== '' && <p>{said}</p>}
      </Notice>
    </div>
  );
}
