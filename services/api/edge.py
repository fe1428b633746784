"""What lies around the routes? Every layer that a request passes before a handler sees it, in one order.

    noted (an id, figures, a line)  →  this machine alone, without keys  →  pages of elsewhere  →  limits  →  routes

Law kept: what a deployment sets up is one frozen value, `Edge`; a layer that it does not ask for is not there.
"""

from dataclasses import dataclass

from starlette.types import ASGIApp

from services.api.access import Access
from services.api.limiting import Limiting, Limits
from services.api.local import LocalOnly
from services.api.metrics import Metrics
from services.api.origins import ANY, Origins
from services.api.passage import Passage


@dataclass(frozen=True, slots=True)
class Edge:
    """How a deployment shapes the edge of its service."""

    origins: tuple[str, ...] = ()
    """Pages of which origins may use it in a browser; `*` all."""
    limits: Limits | None = None
    log_requests: bool = False

    async def close(self) -> None:
        """For the end of the event loop that has served."""
        if self.limits is not None:
            await self.limits.close()


def around(app: ASGIApp, edge: Edge, access: Access, metrics: Metrics) -> ASGIApp:
    """The application within its edge."""
    if edge.limits is not None:
        app = Limiting(app, edge.limits, access)
    if edge.origins:
        app = Origins(app, edge.origins)
    if access.local_only:
        app = LocalOnly(app, tuple(origin for origin in edge.origins if origin != ANY))
    return Passage(app, metrics, access if edge.log_requests else None)
