"""What may be asked about one's own view."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from branchline.actions import Payment
from branchline.server.messages.base import STRICT, MapWord


class WhyNotQuestion(BaseModel):
    """Why can't I claim this route?"""

    model_config = STRICT

    is_: Literal["why-not"] = Field(alias="is")
    route: MapWord


class PaymentIn(BaseModel):
    """Cards to lay down."""

    model_config = STRICT

    colour: MapWord | None
    cards: Annotated[int, Field(ge=0, le=99)]
    wilds: Annotated[int, Field(ge=0, le=99)]

    def payment(self) -> Payment:
        return Payment(self.colour, self.cards, self.wilds)


class OddsQuestion(BaseModel):
    """How likely is this tunnel to owe more?"""

    model_config = STRICT

    is_: Literal["odds"] = Field(alias="is")
    route: MapWord
    payment: PaymentIn


class BorrowedQuestion(BaseModel):
    """What do my stations borrow, with one more in a city?"""

    model_config = STRICT

    is_: Literal["borrowed"] = Field(alias="is")
    city: MapWord | None


Question = Annotated[WhyNotQuestion | OddsQuestion | BorrowedQuestion, Field(discriminator="is_")]
