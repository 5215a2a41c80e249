import type { ComponentType, ReactNode, Ref } from 'react';

interface Props {
  readonly tone: 'positive' | 'info' | 'warning' | 'negative';
  readonly icon?: ComponentType<{ readonly size: 'S'; readonly UNSAFE_className: string }> | undefined;
  readonly role?: 'alert' | 'group' | 'note' | 'region' | 'status';
  /** Its accessible name, for a group or a region. */
  readonly label?: string;
  readonly title?: ReactNode;
  /** Set if focus moves to the notice. */
  readonly focus?: Ref<HTMLDivElement> | undefined;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** A message in a box: what happened, what it means, and what to do next. */
export function Notice({ tone, icon: Icon, role, label, title, focus, actions, children }: Props) {
  return (
    <div
      className={`rp-notice rp-notice-${tone}`}
      role={role}
      aria-label={label}
      {...(focus === undefined ? {} : { tabIndex: -1, ref: focus })}
    >
      {Icon !== undefined && <Icon size="S" UNSAFE_className="rp-notice-icon" />}
      <div className="rp-notice-body">
        {title !== undefined && <p className="rp-notice-title">{title}</p>}
        {children}
        {actions !== undefined && <div className="rp-actions">{actions}</div>}
      </div>
    </div>
  );
}
