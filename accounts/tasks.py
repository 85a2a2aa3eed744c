"""Letters, sent without a person waiting."""

from __future__ import annotations

from celery import shared_task
from django.conf import settings
from django.core.mail import send_mail
from django.template.loader import render_to_string

from accounts.models import Invitation


@shared_task(autoretry_for=(OSError,), retry_backoff=True, max_retries=5)
def send_invitation(invitation_id: int, url: str) -> None:
    """Write to the invited person. The link goes through the queue once and is stored nowhere."""
    invitation = Invitation.objects.select_related("team", "created_by").filter(pk=invitation_id).first()
    if invitation is None or invitation.accepted_at or invitation.revoked_at:
        return
    words = render_to_string("account/email/invitation.txt", {"invitation": invitation, "url": url})
    send_mail(
        subject=f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}your place in {invitation.team.name}",
        message=words,
        from_email=None,
        recipient_list=[invitation.email],
    )
