// Keeps the rest of the page when a part of it fails to draw: the list and the
// calls go on, and the part says what happened.
import { Component, type ReactNode } from "react";
import { Problem } from "./Parts";

interface Props {
  /** Another view is another try. */
  view: string;
  children: ReactNode;
}

export class Boundary extends Component<Props, { failure: Error | null; view: string }> {
  override state = { failure: null as Error | null, view: this.props.view };

  static getDerivedStateFromError(failure: Error): { failure: Error } {
    return { failure };
  }

  static getDerivedStateFromProps(props: Props, state: { view: string }): { failure: null; view: string } | null {
    return props.view === state.view ? null : { failure: null, view: props.view };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === null) return this.props.children;
    return (
      <div className="home">
        <Problem failure={{ message: `This view could not be drawn: ${failure.message}`, advice: "The daemon may have been updated: load the page again." }}>
          <button type="button" onClick={() => location.reload()}>Load again</button>
        </Problem>
      </div>
    );
  }
}
